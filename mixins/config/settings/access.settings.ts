/** How requests come in, and how the command line reaches a service. */
import { addressOrCidr, baseUrl, hostName, list, onOff, origin, text } from "../setting-types.ts";
import { key, port, type Settings } from "./setting.ts";

export const gateway = {
  HOST: {
    type: text("an address of this machine"),
    default: "127.0.0.1",
    doc: "Address that the gateway listens on; in a cluster also each node's health port.",
  },
  PORT: { type: port, default: "3000", doc: "Port that the gateway listens on. `0`: any free port." },
  PUBLIC_URL: {
    type: origin,
    unset: "no WebSub",
    doc: "Origin under which the gateway is reached from outside; links in mails lead there. With it, WebSub hubs push the changes of the feeds that name one; such feeds are then polled every six hours as a backup.",
  },
  HOSTS: {
    type: list(
      hostName,
      "host names such as magpie.example.com or *.example.com, with commas between them, or *",
    ),
    default: "",
    doc: "Names by which clients may ask the gateway, beside that of `PUBLIC_URL`, addresses, and names that cannot be registered (`localhost`, names without a dot, below `.local`, `.internal`, `.svc` and the like). Others are refused with 421, so that no page on the web can reach a private gateway by a name of its own. `*`: any name.",
  },
  TRUSTED_PROXIES: {
    type: list(addressOrCidr, "IP addresses or CIDRs such as 10.0.0.0/8, with commas between them"),
    default: "",
    doc: "Proxies in front of the gateway whose `X-Forwarded-For` names the client. The limits on wrong keys and sign-ins use it.",
  },
  DASHBOARD: {
    type: onOff,
    default: "on",
    doc: "`off`: no dashboard, and nobody can sign in: `/dashboard` and `/session` are 404.",
  },
} satisfies Settings;

export const command = {
  MAGPIE_URL: {
    type: baseUrl("http"),
    unset: "the service of this machine that works on `DATA_DIR`, else `http://127.0.0.1:3000`",
    doc: "The service that the command line asks.",
  },
  MAGPIE_API_KEY: {
    type: key,
    unset: "the first API key in `DATA_DIR`, unless `MAGPIE_URL` is set",
    doc: "The API key that the command line sends.",
  },
  MAGPIE_ADMIN_KEY: {
    type: key,
    unset: "the admin key in `DATA_DIR`, unless `MAGPIE_URL` is set",
    doc: "The admin key that `magpie keys` sends.",
  },
} satisfies Settings;
