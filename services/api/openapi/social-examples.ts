import type {
  ChatMessage,
  MessengerMessage,
  MicroblogAbout,
  MicroblogPost,
  MicroblogProfile,
} from "../../contracts/social.ts";
import type { Source } from "../../contracts/source.ts";

// The names are those of the sandbox, so that what is tried on a fresh machine works as it stands.

export const accountExample: Source = {
  id: "7e0d9f3a-5c11-4f9e-8d2b-1a2b3c4d5e6f",
  source: "MICROBLOG",
  externalId: "1002",
  username: "corvid_lab",
  name: "Corvid Lab",
};

export const channelExample: Source = {
  id: "3f6a8c10-9b2d-4c57-a3f0-6d7e8f9a0b1c",
  source: "MESSENGER",
  externalId: "3002",
  username: "bird_radio",
  name: "Bird Radio",
};

export const serverExample: Source = {
  id: "c1b2a3d4-e5f6-4789-90ab-cdef01234567",
  source: "CHATSERVER",
  externalId: "2001",
  username: "corvids",
  name: "Corvid Club",
};

export const postExample: MicroblogPost = {
  rest_id: "1050118621198921728",
  core: {
    user_results: { result: { rest_id: "1002", name: "Corvid Lab", username: "corvid_lab" } },
  },
  legacy: {
    full_text: "Hello.",
    created_at: "Wed Oct 10 20:19:24 +0000 2018",
    favorite_count: 12,
    repost_count: 3,
    reply_count: 1,
  },
};

export const profileExample: MicroblogProfile = {
  id: "1002",
  name: "Corvid Lab",
  username: "corvid_lab",
  description: "What is new.",
  profile_image_url: "https://example.com/magpie.png",
  protected: false,
  verified: false,
  followers_count: 1200,
  following_count: 10,
  created_at: "2013-12-14T04:35:55.000Z",
};

export const aboutExample: MicroblogAbout = {
  id: "1002",
  name: "Corvid Lab",
  username: "corvid_lab",
  created_at: "2013-12-14T04:35:55.000Z",
  about_profile: {
    account_based_in: null,
    created_country_accurate: null,
    location_accurate: null,
    source: null,
    username_changes: { count: "1", last_changed_at_msec: "1514764800000" },
  },
  avatar: { image_url: "https://example.com/magpie.png" },
  is_blue_verified: false,
  profile_image_shape: "Circle",
  privacy: { protected: false },
  verification: { verified: false },
  verification_info: { is_identity_verified: null },
};

export const chatMessageExample: ChatMessage = {
  id: "1050118621198921728",
  channelId: "2011",
  guildId: "2001",
  authorId: "2101",
  authorName: "alva",
  content: "Hello.",
  createdAt: "2025-03-25T09:30:00.000Z",
  attachments: [],
};

export const messengerMessageExample: MessengerMessage = {
  id: 42,
  text: "Hello.",
  date: 1742895000,
  channelId: "3002",
  channelTitle: "Bird Radio",
  fromId: null,
  views: 310,
  forwards: 2,
  hasMedia: false,
  mediaType: null,
};
