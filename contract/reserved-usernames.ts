const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  i: 'l',
}

/** Replaces digits by the letters they look like. */
function withoutLookalikes(word: string): string {
  return word.toLowerCase().replaceAll(/[0134578i]/g, (character) => lookalikes[character] ?? character)
}

/** Words that a username may not consist of, because they suggest the operator. */
const reserved = [
  'rhubarb',
  'admin',
  'administrator',
  'admins',
  'moderator',
  'moderators',
  'mod',
  'support',
  'staff',
  'official',
  'root',
  'system',
  'operator',
  'team',
  'help',
  'helpdesk',
  'security',
  'webmaster',
  'postmaster',
  'noreply',
]

/** Words that no part of a username between underscores may be. */
const titles = new Set(
  ['admin', 'administrator', 'moderator', 'support', 'staff', 'official'].map(withoutLookalikes),
)

const onlyReserved = new RegExp(`^(?:${reserved.map(withoutLookalikes).join('|')})+$`)

/** Returns whether a username suggests the operator. Ignores case, underscores and digits for letters. */
export function isReservedUsername(username: string): boolean {
  const parts = username.split('_').filter((part) => part !== '')
  const whole = parts.join('')
  const spellings = [whole, whole.replaceAll(/^\d+|\d+$/g, '')].map(withoutLookalikes)
  return (
    spellings.some((spelling) => onlyReserved.test(spelling)) ||
    parts.some((part) => titles.has(withoutLookalikes(part)))
  )
}
