/** What stands for a member whose name is not known. */
export const unknownMember = 'Unknown user'

/** A long name may break after each underscore. */
export function Username({ name }: { name: string }) {
  const parts = name.split(/(?<=_)/)
  return parts.flatMap((part, place) => (place === 0 ? [part] : [<wbr key={part} />, part]))
}
