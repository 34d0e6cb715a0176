import type {
  ChatMessage,
  MessengerMessage,
  MicroblogAbout,
  MicroblogPost,
  MicroblogProfile,
} from "../../contracts/social.ts";
import type { Source } from "../../contracts/source.ts";

export const accountExample: Source = {
  id: "7e0d9f3a-5c11-4f9e-8d2b-1a2b3c4d5e6f",
  source: "MICROBLOG",
  externalId: "2244994945",
  username: "magpie_news",
  name: "Magpie News",
};

export const channelExample: Source = {
  id: "3f6a8c10-9b2d-4c57-a3f0-6d7e8f9a0b1c",
  source: "MESSENGER",
  externalId: "1000000001",
  username: "magpie_channel",
  name: "Magpie Channel",
};

export const serverExample: Source = {
  id: "c1b2a3d4-e5f6-4789-90ab-cdef01234567",
  source: "CHATSERVER",
  externalId: "197038439483310086",
  username: "magpie",
  name: "Magpie Testers",
};

export const postExample: MicroblogPost = {
  rest_id: "1050118621198921728",
  core: {
    user_results: { result: { rest_id: "2244994945", name: "Magpie News", username: "magpie_news" } },
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
  id: "2244994945",
  name: "Magpie News",
  username: "magpie_news",
  description: "What is new.",
  profile_image_url: "https://example.com/magpie.png",
  protected: false,
  verified: false,
  followers_count: 1200,
  following_count: 10,
  created_at: "2013-12-14T04:35:55.000Z",
};

export const aboutExample: MicroblogAbout = {
  id: "2244994945",
  name: "Magpie News",
  username: "magpie_news",
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
  channelId: "197038439483310087",
  guildId: "197038439483310086",
  authorId: "80351110224678912",
  authorName: "nelly",
  content: "Hello.",
  createdAt: "2025-03-25T09:30:00.000Z",
  attachments: [],
};

export const messengerMessageExample: MessengerMessage = {
  id: 42,
  text: "Hello.",
  date: 1742895000,
  channelId: "1000000001",
  channelTitle: "Magpie Channel",
  fromId: null,
  views: 310,
  forwards: 2,
  hasMedia: false,
  mediaType: null,
};
