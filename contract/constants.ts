/** The numbers and choices of the specification. */

/** The days after the end of a report for which its snapshot is kept. */
export const snapshotDays = 180

export const apiBase = '/api'

export const categories = { produce: 1, seeds: 2, plants: 3 } as const
export type CategoryId = (typeof categories)[keyof typeof categories]
/** Returns the name of a category; null is uncategorized. */
export function categoryName(id: CategoryId | null): keyof typeof categories | 'uncategorized' {
  const found = (Object.keys(categories) as (keyof typeof categories)[]).find(
    (name) => categories[name] === id,
  )
  return found ?? 'uncategorized'
}

/** The default number of days until a listing expires. */
export const defaultDays = { produce: 14, plants: 60, seeds: 365, uncategorized: 30 } as const

export const types = { sell: 1, exchange: 2, giveaway: 3 } as const
export type TypeId = (typeof types)[keyof typeof types]

export const states = { available: 1, reserved: 2, gone: 3 } as const
export type StateId = (typeof states)[keyof typeof states]

export const limits = {
  title: { min: 3, max: 120 },
  description: 1000,
  price: { min: 0.01, max: 99_999.99 },
  quantity: { min: 1, max: 9999 },
  unit: 20,
  /** The maximum number of days until a listing is ready. */
  readyDays: 365,
  username: { min: 3, max: 30 },
  password: { min: 8, max: 200 },
  name: 60,
  email: 254,
  postcode: { min: 5, max: 12 },
  /** The maximum length of a city or a state. */
  location: 80,
  address: 120,
  apt: 30,
  page: { size: 24, max: 100 },
  want: { min: 3, max: 80, perCategory: 5 },
  query: { min: 2, max: 100 },
  /** Miles from the member's postal code. */
  near: { min: 1, max: 500 },
  /** The miles in which wants are counted at most, also if the match radius is larger. */
  nearbyWants: { maxMiles: 100 },
  /** For how many weeks the wants of a crop are counted, for how many crops they are shown, and how many members of an area must want one. */
  cropSeason: { weeks: 53, crops: 6, minMembers: 2 },
  /** Areas with fewer listings than `min` are joined, as are all but the nearest `max`. */
  area: { min: 3, max: 100, counted: 100 },
  /** After `declines` refusals by the same member, the next request is refused for `cooldownDays` days. */
  friends: { max: 5000, requestsPerDay: 50, declines: 3, cooldownDays: 30 },
  invitationsPerDay: 20,
  listingsPerDay: 200,
  photos: {
    listing: 6,
    message: 4,
    alt: 150,
    maxMegabytes: 500,
    uploadsPerDay: 500,
    uploadedMegabytesPerDay: 2000,
    /** The time in which the server decodes a member's photos. */
    decodingSecondsPerDay: 900,
    /** The maximum number of a member's uploads at a time. */
    uploadsAtATime: 10,
  },
  /** The allowed numbers of days until a listing expires. */
  days: { min: 3, max: 365 },
  loginChangesPerDay: 20,
  usernameChangesPerDay: 10,
  report: { min: 3, max: 1000 },
  reportsPerDay: 20,
  /** The maximum number of listings that the desk changes at once. */
  deskListings: 50,
  testMailsPerDay: 20,
  siteName: 40,
  siteSentence: 200,
  banner: 300,
  socialLinks: 10,
  socialLink: 40,
  url: 500,
  /** The maximum length of a page that an operator writes in Markdown. */
  sitePage: 20_000,
  /** The length of a day like 2026-05-31. */
  day: 10,
  message: 4000,
  /** The default page size of a conversation. */
  messages: 50,
  trade: {
    /** The maximum number of a member's unanswered requests. */
    openRequests: 20,
    /** The maximum number of a member's requests for the same listing within a day, however they end. */
    requestsOfListingPerDay: 5,
    requestsPerDay: 100,
    pickupChangesPerDay: 50,
    note: 500,
    /** The maximum length of the place of a pickup, and the days that it is kept after the pickup or the end of the trade. */
    place: 200,
    placeDays: 30,
    thanks: 200,
    ring: { min: 3, max: 4 },
    /** The maximum number of rings that are suggested to a member. */
    rings: 5,
    /** The maximum number of days until a pickup, and its maximum length in hours. */
    pickupDays: 60,
    pickupHours: 12,
  },
} as const

/** The name of the site until the operator saves another. */
export const defaultSiteName = 'Rhubarb'

/** The cookie, and the parameter of a page, with the banner that a browser has dismissed. */
export const bannerCookie = 'banner'

/** When an open trade lapses, and how long before that its members are reminded, in days. */
export const tradeDays = {
  request: { lapse: 7, remind: 1 },
  ring: { lapse: 3, remind: 1 },
  promise: { lapse: 21, remind: 3 },
} as const

/** The days after which the giver's silence confirms a handover. */
export const handoverConfirmDays = 2

/** The minutes between the reminder of a pickup and its start. */
export const pickupReminderMinutes = 60

/** A login's lifetime: 7 days. */
export const loginLifetimeMs = 604_800_000
/** For this time after a login, a new password or e-mail does not require the current password. */
export const recentLoginMs = 10 * 60 * 1000

/** The days that the link of a confirmation mail is valid. */
export const confirmationDays = 7
/** The minutes that the link of a password reset mail is valid. */
export const resetMinutes = 30

/** The time from the confirmation of a password reset to the redirect to the login. */
export const resetRedirectMs = 2000

export const image = {
  /** The limits of a logo: its shorter side in pixels, and how many times the other may be as long. */
  logo: { minSide: 32, wide: 8, tall: 2 },
  /** The limits for photos after the browser has resized them (specification, section 9). */
  prepared: {
    maxBytes: 3 * 1024 * 1024,
    longestSide: 1920,
    quality: { start: 0.9, step: 0.1, floor: 0.2 },
  },
  /** The server's limits for photos. */
  accepted: { maxBytes: 10 * 1024 * 1024, maxPixels: 40_000_000 },
  /** The server deletes photos that are not used within this time after their upload. */
  unusedLifetimeMs: 24 * 60 * 60 * 1000,
} as const

/** The initial price filter. The upper end means "and more". */
export const defaultPriceRange = { min: 0, max: 100 } as const

/** The distance bands in miles: "under 5 miles". */
export const distanceBands = [5, 10, 25, 50, 100] as const
export type DistanceBand = (typeof distanceBands)[number]

/** The distance bands in kilometres, for sites whose unit they are. */
export const distanceBandsKm = [5, 10, 25, 50, 100] as const
export type DistanceBandKm = (typeof distanceBandsKm)[number]

export const milesPerKm = 1 / 1.609344

/** The miles within which members are told of matches, until they choose another radius or anywhere. About 40 km. */
export const defaultMatchRadius = 25

/** The sort orders of listings. `nearest` requires a postal code, `best` requires search words. */
export const sorts = ['newest', 'oldest', 'highest', 'lowest', 'nearest', 'best'] as const

/** The interval at which a visible page fetches changes that it may have missed. */
export const pollMs = { unreadCount: 30_000, threads: 5000 } as const

/** The delays of socket reconnects, from the first to the longest. */
export const reconnectMs = { first: 1000, longest: 5000, timeout: 20_000 } as const

/** The times of match notifications in the member's time zone. */
export const notificationTimes = {
  digestHour: 7,
  /** The hours without pushes. Pushes due in them are sent at their end. */
  quiet: { from: 21, to: 8 },
  /** The minimum time between two mails or two pushes, in minutes. */
  pauseMinutes: { mail: 10, push: 1 },
  /** A message or a step of a trade that is read on any device within this time is not pushed. */
  pushDelaySeconds: 5,
  /** A mail waits this long for a push about the same. */
  mailAfterPushMinutes: 2,
  /** After a push was shown, the mail about the same waits this long, and is sent if it is still unread. */
  mailAfterShownPushHours: 8,
  /** Steps of a trade within this time become one mail. */
  tradeMailMinutes: 5,
  /** Messages are mailed after they have been unread this long. */
  unreadMailMinutes: 15,
  /** The minimum time between two mails about messages of a conversation that was not opened. */
  unreadMailPauseHours: 4,
} as const
