import type { PublicMember } from '#contract/members.ts'

type Location = Pick<PublicMember, 'city' | 'state' | 'zip_code'>

/** Returns 'city, state', or the part that is known. */
export function cityAndState({ city, state }: Omit<Location, 'zip_code'>): string {
  return joined(', ', city, state)
}

/** Returns 'city, state zip', or the parts that are known. */
export function fullLocation({ city, state, zip_code }: Location): string {
  return joined(', ', city, joined(' ', state, zip_code))
}

function joined(separator: string, ...parts: (string | null)[]): string {
  return parts.filter(Boolean).join(separator)
}
