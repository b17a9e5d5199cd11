import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { deskActor, reasonField } from './desk.ts'
import { endpoint } from './endpoint.ts'
import { id, line, moment } from './fields.ts'
import { msg } from './message.ts'

const maxBanDays = 3650

export const banMessages = {
  notFound: msg('Ban not found'),
  network: msg(
    'New accounts can not be created from your network at the moment. If you think that is a mistake, please write to us.',
  ),
  domain: msg('E-mail addresses of this provider can not be used here. Please use another one.'),
  notNetwork: msg('Please write an address like {first} or {second}', {
    first: '203.0.113.7',
    second: '2001:db8::1',
  }),
  notDomain: msg('Please write a domain like {example}', { example: 'mail.example' }),
  protected: msg('This address is one of the site itself, so a ban would keep everybody out'),
  banned: msg('This is banned already. Load the page again to see why.'),
  over: msg('This ban was lifted already, or is over'),
  days: msg('Please choose from 1 to {max} days', { max: maxBanDays }),
} as const

export const banKinds = ['network', 'domain'] as const
export type BanKind = (typeof banKinds)[number]

export const ban = z.object({
  id: z.int(),
  kind: z.enum(banKinds),
  /** An IPv4 address, an IPv6 network of 64 bits, or a domain, which includes its subdomains. */
  value: z.string(),
  reason: z.string(),
  actor: deskActor,
  ends_at: z.nullable(moment),
  created_at: moment,
})
export type Ban = z.output<typeof ban>

export const listBans = endpoint({
  method: 'GET',
  path: '/desk/bans',
  summary: 'List the networks and mail domains from which nobody registers, newest first',
  auth: 'moderator',
  response: { 200: z.array(ban) },
})

export const newBan = z.object({
  kind: z.enum(banKinds),
  value: line(limits.email),
  reason: reasonField,
  /** Null for a ban without an end. */
  days: z.optional(
    z.nullable(
      z.int(banMessages.days).check(z.gte(1, banMessages.days), z.lte(maxBanDays, banMessages.days)),
    ),
  ),
})
export type NewBan = z.output<typeof newBan>

export const addBan = endpoint({
  method: 'POST',
  path: '/desk/bans',
  summary: 'Ban a network or a mail domain. Members who exist stay.',
  auth: 'operator',
  body: newBan,
  response: { 201: ban },
})

export const liftBan = endpoint({
  method: 'POST',
  path: '/desk/bans/{id}/lift',
  summary: 'Lift a ban',
  auth: 'operator',
  params: z.object({ id }),
  body: z.object({ reason: reasonField }),
  notFound: banMessages.notFound,
  response: { 204: 'nothing' },
})
