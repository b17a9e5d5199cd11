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

/** Returns the word with digits as the letters they look like. */
function withoutLookalikes(word: string): string {
  return word.toLowerCase().replaceAll(/[0134578i]/g, (character) => lookalikes[character] ?? character)
}

/** Words of which no username may consist: whoever has them seems to speak for the operator. */
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

/** Titles that no part of a username may be, between underscores. */
const titles = new Set(
  ['admin', 'administrator', 'moderator', 'support', 'staff', 'official'].map(withoutLookalikes),
)

const onlyReserved = new RegExp(`^(?:${reserved.map(withoutLookalikes).join('|')})+$`)

/** Whether a username poses as the operator, regardless of case, digits for letters and underscores. */
export function isReservedUsername(username: string): boolean {
  const parts = username.split('_').filter((part) => part !== '')
  const whole = parts.join('')
  const spellings = [whole, whole.replaceAll(/^\d+|\d+$/g, '')].map(withoutLookalikes)
  return (
    spellings.some((spelling) => onlyReserved.test(spelling)) ||
    parts.some((part) => titles.has(withoutLookalikes(part)))
  )
}
