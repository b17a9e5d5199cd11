import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The days of the charts, with today. */
export const figureDays = 90

/** Names the figures that are counted by day. `active_members` have logged in or stored something; hours are sums, from which the charts make means. */
export const figureKinds = [
  'registrations',
  'registrations_confirmed',
  'active_members',
  'listings_produce',
  'listings_seeds',
  'listings_plants',
  'listings_uncategorized',
  'matches',
  'trades_begun',
  'trades_done',
  'trades_declined',
  'trades_withdrawn',
  'trades_lapsed',
  'handover_hours',
  'first_contacts',
  'messages',
  'reports_opened',
  'reports_closed',
  'reports_open',
  'resolution_hours',
  'mails_sent',
  'mails_failed',
  'mails_refused',
] as const
export type FigureKind = (typeof figureKinds)[number]

export const figures = z.object({
  /** The first day, in UTC. */
  from: z.iso.date(),
  /** One count for each day since the first one; null for a day that was not counted. */
  figures: z.array(z.object({ kind: z.enum(figureKinds), counts: z.array(z.nullable(z.int())) })),
})
export type Figures = z.output<typeof figures>

export const getFigures = endpoint({
  method: 'GET',
  path: '/desk/figures',
  summary: 'Get counts of the whole site by day',
  auth: 'moderator',
  response: { 200: figures },
})
