// The assumption sheet of the capacity model: everything that is chosen and not measured. No members have used the product yet, so
// replace the first two groups by figures of your own logs.

/** The requests of a member on a day with at least one visit, by kind: two visits of some minutes. */
const perActiveDay = {
  /** Full page loads: two visits and one reload. Later screens only call the API. */
  'rendered page': 3,
  /** One per visit, reload and return of the network. */
  socket: 4,
  page: 8,
  search: 3,
  listing: 8,
  'thread list': 2,
  'unread count': 4,
  conversation: 3,
  message: 2,
  /** A member of an active garden lists some 18 things a year, in three active days of four. */
  'new listing': 0.07,
  /** One and a half of each new listing. */
  photo: 0.1,
  /** A login lasts seven days. A member with an active day in five needs one for 2.4 of them. */
  login: 0.4,
}

export const assumptions = {
  perActiveDay,
  /** Nextdoor reports 46 million weekly of over 100 million members (2025): half of the members a week, a fifth a day. */
  activeShare: 0.2,
  /** Percent of a day's requests by hour, local time: an evening peak of twice the mean, as private web traffic has. */
  hours: [
    1.5, 0.8, 0.5, 0.4, 0.5, 1, 2, 3.2, 4.2, 4.8, 5, 5.2, 5.4, 5.2, 5, 5, 5.4, 6, 7, 7.9, 8.4, 7.6, 5.2, 2.8,
  ],
  /** The busiest day of the year, a sunny Sunday in May, over the mean day. */
  seasonalPeak: 1.5,
  /** The wants that a new listing matches within their radius. */
  matchesPerListing: 5,
  /** Mails a member a month: matches, unread messages, reminders. */
  mailsPerMonth: 4,
  /** Photos that an active member downloads a day, most from the browser's cache on a second visit. */
  photosSeenPerActiveDay: 60,
  /** The share of active members with an open socket in the busiest hour. */
  onlineShareOfActive: 0.1,

  /** Rows of a member by table, beside those that follow from the requests above. */
  rowsPerMember: { users: 1, sessions: 2, friendships: 4, wants: 3, want_terms: 9 },
  /** Conversations are shared by two members, and have a row of each. */
  messagesPerThread: 15,
  /** The years of rows and photos that are stored. Nothing but unused data is deleted before. */
  years: 3,

  /** The highest planned use of a processor in the busiest hour: above it, queues grow fast, and a lost server leaves no room. */
  highestUse: 0.6,
  /** A node is one process on one vCPU with four gigabytes, the shape of general cloud servers. */
  node: { cores: 1, gigabytes: 4 },
  /**
   * The largest database server that is planned: above 32 vCPUs and four terabytes, a restore takes most of a day, and servers get
   * rare and expensive. `scaling` is the share of linear that PostgreSQL reaches there: locks and memory are shared. General cloud
   * servers have four gigabytes a vCPU, of which `cacheShare` holds data.
   */
  database: {
    sizes: [2, 4, 8, 16, 32],
    gigabytes: 4000,
    scaling: 0.7,
    connections: 1000,
    memoryPerCore: 4,
    cacheShare: 0.75,
  },
  /** The share of the database that is read again and again and must be in memory: about the last hundred days of three years. */
  hotShare: 0.1,
  /** Three servers, as in docs/deployment.md; both replicas also serve reads. */
  replicas: 2,

  /** US dollars. Public on-demand list prices of Amazon in Virginia, June 2026: m7g.large, gp3, S3, egress, SES. */
  prices: {
    vcpuHour: 0.0408,
    diskGigabyteMonth: 0.08,
    photoGigabyteMonth: 0.023,
    trafficGigabyte: 0.09,
    thousandMails: 0.1,
  },
}

export type Kind = keyof typeof perActiveDay
export const kinds = Object.keys(perActiveDay) as readonly Kind[]
export type Assumptions = typeof assumptions
