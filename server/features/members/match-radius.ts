import { defaultMatchRadius } from '#contract/constants.ts'

/** Selects the radius in miles within which a member is told of matches; null for anywhere. `member` is a row of `users`. */
export function matchRadius(member: string): string {
  return `case when not ${member}.match_anywhere then coalesce(${member}.match_radius, ${defaultMatchRadius}) end`
}
