import type { TestedMutation } from '../run-mutations.ts'

const members = (text: string, bug: string) => mutation('server/features/visibility/members.ts', text, bug)
const listings = (text: string, bug: string) => mutation('server/features/visibility/listings.ts', text, bug)

const tests = ['test/visibility/visibility.test.ts']

function mutation(file: string, text: string, bug: string): TestedMutation {
  return { file, edits: [[text, bug]], tests }
}

/** The bugs that the test of visibility must detect: each condition of the rules without one of its parts. */
export const mutations: Readonly<Record<string, TestedMutation>> = {
  'friends of the higher id only': members(
    "select high_id from friendships where low_id = ${member} and status = 'accepted'\n    union all ",
    '',
  ),
  'friends of the lower id only': members(
    "union all select low_id from friendships where high_id = ${member} and status = 'accepted'",
    '',
  ),
  'every pair is friends': members(
    'where f.low_id = least(${one}, ${other}) and f.high_id = greatest(${one}, ${other})',
    'where true',
  ),
  'no pair is friends': members("f.high_id = greatest(${one}, ${other}) and f.status = 'accepted'", 'false'),
  'unseen members without suspended ones': members(
    '${suspendedMembers} union all ${blockedWith',
    '${blockedWith',
  ),
  'unseen members without blocks': members(' union all ${blockedWith(member)}', ''),
  'a block hides only from the blocked': members(
    '${blockedBy(member)}\n    union all select blocker_id',
    'select blocker_id',
  ),
  'a block hides only from the blocker': members(
    '\n    union all select blocker_id from blocks where blocked_id = ${member}',
    '',
  ),
  'a pair is blocked one way': members(
    '${hasBlocked(one, other)} or ${hasBlocked(other, one)}',
    '${hasBlocked(one, other)}',
  ),
  'a pair is blocked the other way': members(
    '${hasBlocked(one, other)} or ${hasBlocked(other, one)}',
    '${hasBlocked(other, one)}',
  ),
  'blocked members stay in threads': mutation(
    'server/features/messages/queries.ts',
    'and last_message_id < $2 and ${isUnblocked} ${page}',
    'and last_message_id < $2 ${page}',
  ),
  'messages of blocked members count as unread': mutation(
    'server/features/messages/queries.ts',
    'and unread_count > 0 and ${isUnblocked}',
    'and unread_count > 0',
  ),
  'notifications of blocked members': mutation(
    'server/features/notifications/queries.ts',
    " and not ${hasBlocked('n.user_id', 'n.from_id')}",
    '',
  ),
  'inactive listings are shown': listings("'l.is_active and l.hidden_at is null'", "'l.hidden_at is null'"),
  'hidden listings are shown': listings("'l.is_active and l.hidden_at is null'", "'l.is_active'"),
  'private listings are published': listings('`l.is_public and ${isUnhidden}`', '`${isUnhidden}`'),
  'only marked listings are over': listings(
    "'l.ended_at is null and l.expires_at > now()'",
    "'l.ended_at is null'",
  ),
  'expired listings are listed': listings('`${isUnhidden} and ${isCurrent}`', '`${isUnhidden}`'),
  'listed for everybody': listings('${isListed} and l.owner_id not in (${unseenBy(caller)})', '${isListed}'),
  'inactive listings are on offer': listings('`l.is_active and ${isCurrent} and', '`${isCurrent} and'),
  'expired listings are on offer': listings('`l.is_active and ${isCurrent} and', '`l.is_active and'),
  'gone listings are on offer': listings('${isNotGone} and l.ready_at', 'l.ready_at'),
  'hidden listings are offered': listings(
    '(l.hidden_at is not null or o.suspended_at is not null)',
    '(o.suspended_at is not null)',
  ),
  'listings of suspended members are offered': listings(
    '(l.hidden_at is not null or o.suspended_at is not null)',
    '(l.hidden_at is not null)',
  ),
  'withheld listings are offered': listings('${isOnOffer} and not ${isWithheld} and', '${isOnOffer} and'),
  'private listings are offered to everybody': listings(
    "(l.is_public or ${areFriends(member, 'l.owner_id')})\n",
    'true\n',
  ),
  'friends are offered nothing private': listings(
    "(l.is_public or ${areFriends(member, 'l.owner_id')})",
    'l.is_public',
  ),
  'listings are offered despite a block': listings("\n    and ${areUnblocked(member, 'l.owner_id')}", ''),
  'owners do not see their own': listings('(l.owner_id = ${caller} or ${shown}', '(${shown}'),
  'unlisted listings are visible': listings('return ownOr(caller, isListed)', "return ownOr(caller, 'true')"),
  'listings of unseen members are visible': listings(
    '${shown} and l.owner_id not in (${unseenBy(caller)})',
    '${shown}',
  ),
  'private listings are visible to everybody': listings(
    'and (l.is_public or l.owner_id = any (array(${friendsOf(caller)})))',
    '',
  ),
  'friends see only public listings': listings(
    'and (l.is_public or l.owner_id = any (array(${friendsOf(caller)})))',
    'and l.is_public',
  ),
  'trades keep the titles of hidden listings': listings('withheld.hidden_at is not null', 'false'),
  'trades keep the titles of suspended members': listings('withheld.suspended_at is not null', 'false'),
  'owners lose the titles of their own': listings('${owner} <> ${reader} and (', '('),
  'guests see the photos of expired listings': mutation(
    'server/features/image-access/queries.ts',
    '${isPublished} and ${isCurrent} and',
    '${isPublished} and',
  ),
  'guests see the photos of suspended members': mutation(
    'server/features/image-access/queries.ts',
    ' and (select suspended_at is null from users where id = l.owner_id)',
    '',
  ),
  'a ring needs no public listing': mutation(
    'server/features/rings/queries.ts',
    '`${isPublished} and ${isCurrent} and l.state_id',
    '`${isCurrent} and l.state_id',
  ),
  'a ring with a block': mutation(
    'server/features/rings/queries.ts',
    "where one.ring_id = r.id and ${areBlocked('one.giver_id', 'other.giver_id')}",
    'where false',
  ),
  'notifications of suspended members': mutation(
    'server/features/notifications/queries.ts',
    '`o.suspended_at is null and not ${hasBlocked',
    '`not ${hasBlocked',
  ),
  'notifications of invisible listings': mutation(
    'server/features/matches/notifications.ts',
    'm.user_id = n.user_id and ${matchShown}',
    'm.user_id = n.user_id and m.fits',
  ),
  'message cards of invisible listings': mutation(
    'server/features/messages/queries.ts',
    'where l.id = m.listing_id and ${isVisibleTo(reader)}',
    'where l.id = m.listing_id',
  ),
  'interested members who are suspended': mutation(
    'server/features/matches/queries.ts',
    '${isMatchShown} and u.suspended_at is null\n    ) c',
    '${isMatchShown}\n    ) c',
  ),
  'wants of unseen members are counted': mutation(
    'server/features/matches/queries.ts',
    "where w.user_id not in (${sql.raw(unseenBy('me.id'))})`",
    '`',
  ),
  'an export has invisible listings': mutation(
    'server/features/export/queries.ts',
    'where l.id = t.listing_id and ${isVisibleToMe}',
    'where l.id = t.listing_id',
  ),
}
