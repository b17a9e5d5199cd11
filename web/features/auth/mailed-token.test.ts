import { expect, test } from 'vitest'
import { parseInviteSearch } from '#web/features/invitations/invite-search.ts'
import { parseMailedToken } from './mailed-token.ts'
import { parseRedirectTarget } from './redirect-target.ts'

test('reads the tokens of pasted links without invisible characters', () => {
  expect(parseMailedToken({ token: '\u200babc-1\u200e' })).toEqual({ token: 'abc-1' })
  expect(parseMailedToken({ token: 42 })).toEqual({ token: '42' })
  expect(parseInviteSearch({ invite: '7.\u2060x_y\ufeff' })).toEqual({ invite: '7.x_y' })
  expect(parseRedirectTarget({ invitation: '7.x_y\u200f' })).toMatchObject({ invitation: '7.x_y' })
})

test.each(['', '\u200b', ' ', undefined, null, {}])('reads %j as no token', (token) => {
  expect(parseMailedToken({ token }).token).toBeUndefined()
  expect(parseInviteSearch({ invite: token }).invite).toBeUndefined()
})
