import { avatarPath } from '#server/features/images/paths.ts'

/** Selects a `BriefMember` as JSON. `member` is a row of `users`. */
export function briefMember(member: string): string {
  return `json_build_object('id', ${member}.id, 'username', ${member}.username, 'profile_picture', ${avatarPath(member, 'small')})`
}
