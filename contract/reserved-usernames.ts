const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  i: 'l',
  rn: 'm',
  vv: 'w',
}

/** Replaces digits and pairs of letters by the letters they look like. */
function withoutLookalikes(text: string): string {
  return text.toLowerCase().replaceAll(/[0134578i]|rn|vv/g, (look) => lookalikes[look] ?? look)
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** Words that suggest the operator wherever they stand in a username. */
const titles = words(`
  rhubarb admin admins administrator administrators administration sysop superuser moderator moderators operator
  operators support staff official officials webmaster postmaster hostmaster helpdesk noreply`)

/** Titles that are also the beginning of other words (`modern`, `modus`). */
const shortTitles = ['mod', 'mods']

/** Words that suggest the operator only in a username without other words: `system` does, `root_system_ann` does not. */
const roles = ['root', 'system', 'team', 'help', 'security']

/**
 * Words that may precede a title without a separator (`theadmin`). None of them begins a longer word with a title (`cooperator`), and none
 * consists of others, because the pattern would then backtrack without end.
 */
const prefixes = words(`
  an the this my your our i im is it its am we are not ask hey real true verified trusted only original main new
  old big top best x head chief lead senior super sys master mr mrs ms dr sir dear hello site web app online live
  chat mail email phone forum server network tech market shop store office billing payment customer client user
  member account garden gardening community neighborhood neighbourhood global local contact call`)

/** Words that may follow a title without a separator (`adminteam`). */
const suffixes = words(`
  account app web site online live page bot user member hq inc llc ltd org net com usa info news mail email
  contact service services care center centre desk line chat group club community market marketplace shop store
  office garden gardens gardening gardener gardeners neighborhood neighbourhood here real x agent assistant
  manager leader owner person guy girl boy man woman`)

/** Words that do not change whom the rest of a username suggests. */
const decorations = ['the', 'this', 'my', 'your', 'our', 'im', 'is', 'real', 'true', 'only', 'x']

/** Matches a change of case or between digits and letters, where a word can begin. */
const wordStart =
  /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Z]{2})(?=[a-z])|(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)/g

/** Returns a pattern for one of the words. A digit for a letter, or a capital, begins no other word in it. */
function anyOf(...words: readonly string[]): string {
  return `(?:${words.map((word) => [...withoutLookalikes(word)].join('\\|?')).join('|')})`
}

const title = anyOf(...titles)
const shortTitle = anyOf(...shortTitles)
const prefix = anyOf(...prefixes)
const [first, last] = ['(?:^|[|_])', '(?:$|[|_])']

/** Matches a title that is a word of its own. `|` and `_` separate words. */
const ownTitle = new RegExp(
  `${first}(?:${prefix}\\|?)*(?:${title}(?:\\|?${anyOf(...suffixes, ...titles, ...roles)})*|${shortTitle}(?:\\|?${anyOf(...roles)})*)${last}`,
)
const onlyRoles = new RegExp(
  `^(?:${anyOf(...decorations)})*${anyOf(...titles, ...shortTitles, ...roles)}(?:${anyOf(...decorations, ...titles, ...shortTitles, ...roles)})*$`,
)

/** Returns whether a username suggests the operator. Ignores case, underscores and characters that look alike. */
export function isReservedUsername(username: string): boolean {
  if (ownTitle.test(withoutLookalikes(username.replaceAll(wordStart, '|')))) return true
  const whole = username.replaceAll('_', '')
  return [
    whole,
    whole.replace(/^\d+/, ''),
    whole.replace(/\d+$/, ''),
    whole.replaceAll(/^\d+|\d+$/g, ''),
  ].some((spelling) => onlyRoles.test(withoutLookalikes(spelling)))
}
