import type { PublicMember } from '#contract/members.ts'

type Place = Pick<PublicMember, 'city' | 'state' | 'zip_code'>

/** 'city, state', or what there is of it; empty when there is nothing. */
export function cityAndState({ city, state }: Omit<Place, 'zip_code'>): string {
  return joined(', ', city, state)
}

/** 'city, state zip', or what there is of it; empty when there is nothing. */
export function fullLocation({ city, state, zip_code }: Place): string {
  return joined(', ', city, joined(' ', state, zip_code))
}

function joined(by: string, ...parts: (string | null)[]): string {
  return parts.filter(Boolean).join(by)
}
