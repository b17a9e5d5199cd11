import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { moment } from './fields.ts'

/** Bounds what the desk shows as suspicious. */
export const suspicion = {
  /** The rows of each list. */
  rows: 20,
  hours: 24,
  /** The days of registrations. */
  days: 7,
  strangers: 3,
  listings: 10,
  equalListings: 3,
  registrations: 3,
  /** The newest members of a network or a domain. */
  members: 5,
} as const

const member = {
  id: z.int(),
  username: z.string(),
  created_at: moment,
  email_confirmed: z.boolean(),
  suspended_at: z.nullable(moment),
  paused_until: z.nullable(moment),
}

/** A member who has written to strangers: they are no friends and have never answered. */
const suspiciousSender = z.object({
  ...member,
  receiver_count: z.int(),
  /** Texts with the same letters count once. */
  text_count: z.int(),
  first_at: moment,
  last_at: moment,
})
export type SuspiciousSender = z.output<typeof suspiciousSender>

const suspiciousPoster = z.object({
  ...member,
  listing_count: z.int(),
  /** The most listings with one title, ignoring case. */
  equal_count: z.int(),
  /** The title of those. */
  title: z.string(),
})
export type SuspiciousPoster = z.output<typeof suspiciousPoster>

/** A network or a mail domain with many new members. */
const suspiciousOrigin = z.object({
  value: z.string(),
  registration_count: z.int(),
  unconfirmed_count: z.int(),
  suspended_count: z.int(),
  last_at: moment,
  /** The newest of the members. */
  members: z.array(z.object({ id: z.int(), username: z.string() })),
  /** True if it is banned, or a domain around it. */
  is_banned: z.boolean(),
})
export type SuspiciousOrigin = z.output<typeof suspiciousOrigin>

export const suspicious = z.object({
  senders: z.array(suspiciousSender),
  posters: z.array(suspiciousPoster),
  networks: z.array(suspiciousOrigin),
  domains: z.array(suspiciousOrigin),
})
export type Suspicious = z.output<typeof suspicious>

export const getSuspicious = endpoint({
  method: 'GET',
  path: '/desk/suspicious',
  summary:
    'Get the members who have written to many strangers or posted many listings in a day, and the networks and mail domains with many new members',
  auth: 'moderator',
  response: { 200: suspicious },
})
