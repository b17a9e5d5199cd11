import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { confirmEmail, register, uploadProfileImage } from '#contract/auth.ts'
import { getFriendStatus, listFriendRequests, listFriends, respondToFriend } from '#contract/friends.ts'
import {
  getInvitationLink,
  getInviter,
  invitationMessages,
  invite,
  previewInvitation,
  replaceInvitationLink,
  stopInvitations,
} from '#contract/invitations.ts'
import { blockMember } from '#contract/members.ts'
import { listNotifications } from '#contract/notifications.ts'
import { deleteProfile, exportProfile, updateProfile } from '#contract/profile.ts'
import { type Actor, json } from '#test/actor.ts'
import { tokenIn } from '#test/links.ts'
import { photo } from '#test/pictures.ts'
import { newWorld } from '#test/world.ts'
import { deleteOldInvitations } from './queries.ts'

const world = await newWorld({ registration: true })
afterAll(() => world[Symbol.asyncDispose]())

const sendInvitation = async (inviter: Actor, email: string) => {
  const response = await inviter.try(invite, { body: { email } })
  await world.jobsDone()
  return response
}
const invitationsTo = (email: string) =>
  world.mailTo({ email }).filter(({ headers }) => headers.has('list-unsubscribe'))
const linkIn = (text: string) => /Answer the invitation: (\S+)/.exec(text)?.[1] ?? ''
const tokenOf = (email: string) => {
  const [mail] = invitationsTo(email)
  return inviteOf(linkIn(mail?.text ?? ''))
}
const inviteOf = (url: string) => new URL(url).searchParams.get('invite') ?? ''
const linkOf = async (inviter: Actor) => (await inviter.call(getInvitationLink)).url
const requestsTo = (member: Actor) => member.call(listFriendRequests, { query: {} })
const newcomer = (username: string, invitation?: string, email = `${username}@example.com`) => ({
  first_name: 'New',
  last_name: 'Neighbor',
  username,
  email,
  password: 'plum-crumble-42',
  ...(invitation === undefined ? {} : { invitation }),
})

test('the invitation mail shows username, town and link of the inviter in HTML and plain text', async () => {
  const ann = await world.member({ username: 'ann_b', first_name: 'Buy <b>now</b> at evil.example' })
  await ann.call(updateProfile, { body: { city: 'St. Louis', state: 'MO' } })
  const { status, body } = await sendInvitation(ann, 'neighbor@example.com')
  expect([status, body]).toEqual([202, { message: invitationMessages.onItsWay }])

  const [mail, ...others] = world.mailTo({ email: 'neighbor@example.com' })
  expect(others).toEqual([])
  expect(mail?.subject).toBe('ann_b would like to be your friend')
  for (const part of [mail?.text, mail?.html]) {
    expect(part).toContain('ann_b would like to be your friend')
    expect(part).toContain(await linkOf(ann))
    expect(part).toContain('Never send me invitations again')
    // A member's free text must not reach a stranger's mailbox.
    expect(part).not.toContain('evil.example')
  }
  for (const part of [mail?.text, mail?.html]) expect(part).toContain('St. Louis, MO')
  const links = `${mail?.html} ${mail?.text}`.match(/https?:\/\/[^\s"'<>]+/g) ?? []
  expect(links.length).toBeGreaterThan(3)
  expect(links.filter((link) => !link.startsWith('https://rhubarb.test/'))).toEqual([])
  // Readable with images off.
  const pictures = mail?.html.match(/<img[^>]*>/g) ?? []
  expect(pictures.map((picture) => /alt="([^"]*)"/.exec(picture)?.[1])).toEqual([
    'Rhubarb',
    'A bunch of rhubarb',
  ])
  expect(await world.db.selectFrom('invitations').select(['email']).execute()).toEqual([{ email: null }])
})

test.each([
  'Win at evil.example',
  'Call 555 0100',
  'https evil/x',
  '<b>Now</b>',
  'Come and buy a great many things here at once',
])('the invitation mail leaves out a city that is not a plain name: %s', async (city) => {
  const [ann] = await world.members(`ann_${city.length}`)
  await ann.call(updateProfile, { body: { city, state: 'OR' } })
  const { text } = await ann.call(previewInvitation)
  expect(text).not.toContain(city)
  expect(text).toContain('Where: OR')
})

test('the response does not reveal whether the address belongs to a member', async () => {
  const [ann, bob, cat] = await world.members('ann_c', 'bob_c', 'cat_c')
  await cat.call(blockMember, { params: { id: ann.id } })
  const responses = []
  for (const email of ['nobody@example.com', bob.email, cat.email, ann.email])
    responses.push(await ann.send('POST', '/api/invitations', json({ email })))
  for (const { status, body } of responses)
    expect([status, body]).toEqual([202, { message: invitationMessages.onItsWay }])
  await world.jobsDone()
  expect(invitationsTo('nobody@example.com')).toHaveLength(1)
  expect(await ann.call(getFriendStatus, { params: { id: bob.id } })).toMatchObject({ status: 'none' })
})

test('mails a member only at a confirmed address and not from blocked members', async () => {
  const [ann, bob, cat] = await world.members('ann_d', 'bob_d', 'cat_d')
  await world.jobsDone()
  for (const member of [ann, cat]) {
    const token = tokenIn(world.mailTo(member)[0])
    await world.guest().call(confirmEmail, { body: { token } })
  }
  await sendInvitation(ann, bob.email.toUpperCase())
  await sendInvitation(ann, ann.email)
  expect([...invitationsTo(bob.email.toUpperCase()), ...invitationsTo(ann.email)]).toEqual([])

  await sendInvitation(ann, cat.email)
  expect(linkIn(invitationsTo(cat.email)[0]?.text ?? '')).toBe(await linkOf(ann))
  await cat.call(blockMember, { params: { id: bob.id } })
  await sendInvitation(bob, cat.email)
  expect(invitationsTo(cat.email)).toHaveLength(1)
})

test('registering with an invitation creates a friend request from the inviter', async () => {
  const [ann] = await world.members('ann_e')
  await sendInvitation(ann, 'somebody.new@example.com')
  const token = tokenOf('somebody.new@example.com')
  const newMember = await world.member(newcomer('new_e', token, 'Somebody.New@example.com'))
  const requests = await requestsTo(newMember)
  expect(requests).toMatchObject([{ user_id: ann.id, username: 'ann_e' }])
  expect(await newMember.call(listNotifications, { query: {} })).toMatchObject([
    { kind: 'friend_request', user: { id: ann.id } },
  ])
  expect(await ann.call(getFriendStatus, { params: { id: newMember.id } })).toMatchObject({
    status: 'pending',
    is_sender: true,
  })
  await newMember.call(respondToFriend, { body: { request_id: requests[0]?.id ?? 0, accept: true } })
  expect(await ann.call(listFriends, { query: {} })).toMatchObject([{ username: 'new_e' }])
})

test('the invitation link is the signed profile link and does not change', async () => {
  const [ann, bob] = await world.members('ann_n', 'bob_n')
  const link = await linkOf(ann)
  expect(link).toMatch(
    new RegExp(`^https://rhubarb\\.test/seller/${ann.id}\\?invite=${ann.id}\\.[\\w-]{22}$`),
  )
  expect(await linkOf(ann)).toBe(link)
  expect(inviteOf(await linkOf(bob))).not.toBe(inviteOf(link))
})

test("shows a guest only the inviter's username, picture and town", async () => {
  const ann = await world.member({ username: 'ann_p', first_name: 'Annabel', last_name: 'Secret' })
  await ann.call(updateProfile, { body: { city: 'Portland', state: 'OR', zip_code: '97214' } })
  const shown = { id: ann.id, username: 'ann_p', profile_picture: null, city: 'Portland', state: 'OR' }
  const query = { invite: inviteOf(await linkOf(ann)) }
  expect(await world.guest().call(getInviter, { query })).toEqual(shown)

  const { profile_picture } = await ann.call(uploadProfileImage, {
    body: {},
    file: await photo({ width: 40, height: 40 }),
  })
  expect(profile_picture).not.toBeNull()
  expect(await world.guest().call(getInviter, { query })).toEqual({ ...shown, profile_picture })
})

test('one link creates a friend request for each newcomer', async () => {
  const [ann] = await world.members('ann_q')
  const token = inviteOf(await linkOf(ann))
  for (const username of ['new_q', 'second_q']) {
    const newMember = await world.member(newcomer(username, token))
    expect(await requestsTo(newMember)).toMatchObject([{ user_id: ann.id, username: 'ann_q' }])
  }
})

test('a link that invites nobody says whether it is replaced, not valid any more, or unknown', async () => {
  const [ann, bob, cat] = await world.members('ann_r', 'bob_r', 'cat_r')
  const replaced = inviteOf(await linkOf(ann))
  const replacedOfLeaver = inviteOf(await linkOf(cat))
  await cat.call(replaceInvitationLink)
  const { url } = await ann.call(replaceInvitationLink)
  expect(inviteOf(url)).not.toBe(replaced)
  expect(await linkOf(ann)).toBe(url)
  const [ofSuspended, ofLeaver] = [inviteOf(await linkOf(bob)), inviteOf(await linkOf(cat))]
  await world.suspend(bob)
  await cat.call(deleteProfile, { body: { password: cat.password } })

  const signed = inviteOf(url).replace(/^\d+/, '')
  const unknown = [
    ...[`${ann.id}`, `${ann.id}.`, `${ann.id}.${'A'.repeat(22)}`],
    ...[`${ann.id + 1}${signed}`, signed, `0${signed}`, `-1${signed}`, `${ann.id}${signed}A`, ''],
    ...[bob, cat].map(({ id }) => `${id}${signed}`),
    ...[
      `${'9'.repeat(15)}${signed}`,
      `${'9'.repeat(40)}${signed}`,
      '../../etc/passwd',
      "'; drop table users",
    ],
  ]
  const expected = [
    { detail: invitationMessages.linkReplaced, invites: [replaced] },
    // Does not reveal whether the member is suspended or has left.
    { detail: invitationMessages.linkInvalid, invites: [ofSuspended, ofLeaver, replacedOfLeaver] },
    { detail: invitationMessages.linkUnknown, invites: unknown },
  ]
  for (const { detail, invites } of expected)
    for (const invite of invites) {
      const { status, body } = await world.guest().try(getInviter, { query: { invite } })
      expect([invite, status, body.detail]).toEqual([invite, 404, detail])
    }

  const newMember = await world.member(newcomer('new_r', replaced))
  expect(await requestsTo(newMember)).toEqual([])
  const byNewLink = await world.member(newcomer('second_r', inviteOf(url)))
  expect(await requestsTo(byNewLink)).toMatchObject([{ user_id: ann.id }])
})

test('a link is known as replaced until a hundred newer ones have replaced it', async () => {
  const [ann] = await world.members('ann_w')
  const invites = [inviteOf(await linkOf(ann))]
  for (let nth = 0; nth < 101; nth += 1) invites.push(inviteOf((await ann.call(replaceInvitationLink)).url))
  const detailOf = async (invite = '') =>
    (await world.guest().try(getInviter, { query: { invite } })).body.detail
  expect(await Promise.all([0, 1, 100].map((nth) => detailOf(invites[nth])))).toEqual([
    invitationMessages.linkUnknown,
    invitationMessages.linkReplaced,
    invitationMessages.linkReplaced,
  ])
})

test('refuses a missing, repeated or overlong invitation parameter', async () => {
  const guest = world.guest()
  expect((await guest.send('GET', '/api/invitations/inviter')).status).toBe(422)
  expect((await guest.send('GET', '/api/invitations/inviter?invite=1&invite=2')).status).toBe(422)
  expect((await guest.try(getInviter, { query: { invite: 'x'.repeat(201) } })).status).toBe(422)
})

test("the inviter's export does not reveal which addresses belong to members", async () => {
  const [ann, bob, cat, dan] = await world.members('ann_o', 'bob_o', 'cat_o', 'dan_o')
  await world.jobsDone()
  const token = tokenIn(world.mailTo(cat)[0])
  await world.guest().call(confirmEmail, { body: { token } })
  await world.suspend(dan)
  const addresses = ['o@example.com', 'no.mails@example.com', bob.email, cat.email, dan.email, ann.email]
  await sendInvitation(bob, 'no.mails@example.com')
  const stop = tokenIn({
    text: invitationsTo('no.mails@example.com')[0]?.headers.get('list-unsubscribe') ?? '',
  })
  await world.guest().call(stopInvitations, { query: { token: stop } })
  for (const email of addresses) await sendInvitation(ann, email)
  expect(addresses.map((email) => invitationsTo(email).length)).toEqual([1, 1, 0, 1, 0, 0])

  const { invitations = [] } = (await ann.call(exportProfile)) as { invitations?: Record<string, unknown>[] }
  const kept = invitations.map(({ id, created_at, ...row }) => [typeof id, typeof created_at, row])
  expect(kept).toEqual(addresses.map(() => ['number', 'string', { user_id: ann.id }]))
})

test('registering with an invalid invitation creates no friend request', async () => {
  const [ann, bob] = await world.members('ann_f', 'bob_f')
  await sendInvitation(ann, 'f1@example.com')
  await sendInvitation(bob, 'f2@example.com')
  await ann.call(deleteProfile, { body: { password: ann.password } })
  await world.suspend(bob)
  const tokens = ['nonsense', '', tokenOf('f1@example.com'), tokenOf('f2@example.com')]
  for (const [turn, token] of tokens.entries()) {
    const member = await world.member(
      newcomer(`new_f${turn}`, token, turn < 2 ? undefined : `f${turn - 1}@example.com`),
    )
    expect(await member.call(listFriendRequests, { query: {} })).toEqual([])
  }
  const tooLong = await world.guest().try(register, { body: newcomer('new_f', 'x'.repeat(201)) })
  expect(tooLong.status).toBe(422)
})

test('a failed registration does not use up the invitation', async () => {
  const [ann] = await world.members('ann_g')
  await sendInvitation(ann, 'g@example.com')
  const token = tokenOf('g@example.com')
  expect(
    (await world.guest().try(register, { body: newcomer('ann_g', token, 'g@example.com') })).status,
  ).toBe(409)
  const member = await world.member(newcomer('new_g', token, 'g@example.com'))
  expect(await member.call(listFriendRequests, { query: {} })).toHaveLength(1)
})

test('an address that has unsubscribed gets no invitations from any member', async () => {
  const [ann, bob] = await world.members('ann_h', 'bob_h')
  await sendInvitation(ann, 'h@example.com')
  const [mail] = invitationsTo('h@example.com')
  expect(mail?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const oneClick = new URL(mail?.headers.get('list-unsubscribe')?.slice(1, -1) ?? '')
  expect(oneClick.href).toBe(
    `https://rhubarb.test/api/invitations/stop?token=${tokenIn({ text: oneClick.href })}`,
  )

  // One-click unsubscribe (RFC 8058): a form without a login.
  const guest = world.guest()
  const path = oneClick.pathname + oneClick.search
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  for (const [body, message] of [
    [new URLSearchParams('List-Unsubscribe=One-Click'), invitationMessages.stopped],
    [form, invitationMessages.alreadyStopped],
  ] as const) {
    const stopped = await guest.send('POST', path, { body })
    expect([stopped.status, stopped.body]).toEqual([200, { message }])
  }
  await sendInvitation(bob, 'H@example.com')
  expect([...invitationsTo('h@example.com'), ...invitationsTo('H@example.com')]).toHaveLength(1)

  for (const token of ['nonsense', '']) {
    const refused = await guest.try(stopInvitations, { query: { token } })
    expect([refused.status, refused.body.detail]).toEqual([400, invitationMessages.stopInvalid])
  }
  expect((await guest.send('POST', '/api/invitations/stop')).status).toBe(422)
})

test('limits invitations to an address to one a week per member and three a day', async () => {
  const [ann, bob, cat, dan] = await world.members('ann_i', 'bob_i', 'cat_i', 'dan_i')
  const sent = () => invitationsTo('i@example.com').length
  await sendInvitation(ann, 'i@example.com')
  await sendInvitation(ann, 'i@example.com')
  expect(sent()).toBe(1)
  for (const inviter of [bob, cat, dan]) await sendInvitation(inviter, 'i@example.com')
  expect(sent()).toBe(3)

  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await world.db
    .updateTable('invitations')
    .set({ created_at: ago(2) })
    .execute()
  await sendInvitation(dan, 'i@example.com')
  await sendInvitation(ann, 'i@example.com')
  expect(sent()).toBe(4)
  await world.db
    .updateTable('invitations')
    .set({ created_at: ago(8) })
    .execute()
  await sendInvitation(ann, 'i@example.com')
  expect(sent()).toBe(5)
})

test('two nodes that send at once keep to one a week per member', async () => {
  await using _other = await world.node()
  const [ann] = await world.members('ann_v')
  await world.db.transaction().execute(async (tx) => {
    // Both jobs stop before they count.
    await sql`lock table invitation_opt_outs in access exclusive mode`.execute(tx)
    for (let nth = 0; nth < 2; nth += 1) await ann.call(invite, { body: { email: 'v@example.com' } })
    await expect.poll(() => world.waitingForLocks()).toBe(2)
  })
  await world.jobsDone()
  expect(invitationsTo('v@example.com')).toHaveLength(1)
})

test('retries an invitation that the mail server refuses and sends it once', async () => {
  const [ann] = await world.members('ann_j')
  await world.jobsDone()
  world.mailServer.refuseNext(1)
  await ann.call(invite, { body: { email: 'j@example.com' } })
  await world.jobsDone()
  expect(invitationsTo('j@example.com')).toEqual([])
  await world.retryJobs()
  expect(invitationsTo('j@example.com')).toHaveLength(1)
})

test('deletes old invitations and unsent ones of deleted members', async () => {
  const [ann] = await world.members('ann_k')
  const row = (email: string | null, user_id: number | null) => ({
    email,
    user_id,
    email_hash: Buffer.from('x'),
  })
  await world.db.deleteFrom('invitations').execute()
  await world.db
    .insertInto('invitations')
    .values([row('left@example.com', null), row('waiting@example.com', ann.id), row(null, null)])
    .execute()
  await deleteOldInvitations(world.db, new Date(Date.now() - 1000).toISOString())
  expect(await world.db.selectFrom('invitations').select('email').orderBy('id').execute()).toEqual([
    { email: 'waiting@example.com' },
    { email: null },
  ])
  await deleteOldInvitations(world.db, new Date(Date.now() + 1000).toISOString())
  expect(await world.db.selectFrom('invitations').select('id').execute()).toEqual([])
})

test("the preview equals the mail except for the receiver's links", async () => {
  const [ann] = await world.members('ann_letter')
  await sendInvitation(ann, 'l@example.com')
  const [mail] = invitationsTo('l@example.com')
  const shown = await ann.call(previewInvitation)
  const without = (text = '') => text.replaceAll(/https:\/\/rhubarb\.test\/[^\s"]*/g, '…').trim()
  expect(shown.subject).toBe(mail?.subject)
  expect(without(shown.html)).toBe(without(mail?.html))
  expect(without(shown.text)).toBe(without(mail?.text))
  expect(shown.html).toContain(await linkOf(ann))
  expect(shown.html).not.toContain('token=')
})

test('refuses an invalid address', async () => {
  const [ann] = await world.members('ann_m')
  for (const email of [
    '',
    'nobody',
    'a@b',
    'two@example.com, three@example.com',
    'x@example.com\r\nBcc: y@example.com',
  ]) {
    const { status } = await ann.try(invite, { body: { email } })
    expect([email, status]).toEqual([email, 422])
  }
})
