import { limits } from '#contract/constants.ts'

/** Loaded at the first registration: 30,000 passwords that leaks have shown, of which only the long enough matter here. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const known = dictionary['passwords-common'].filter((password) => password.length >= limits.password.min)
  return new Set(known.map((password) => password.toLowerCase()))
}

let common: Promise<ReadonlySet<string>> | undefined

/** The member that a password belongs to. */
export interface Owner {
  readonly email: string
  readonly username: string
  readonly first_name: string
  readonly last_name: string
}

/** Returns words that an attacker would try first: the site's name and the member's names. */
function obviousWords({ email, username, first_name, last_name }: Owner): string[] {
  const names = [username, email.slice(0, email.lastIndexOf('@')), first_name, last_name]
  return ['rhubarb', ...names, first_name + last_name].map(lettersOf).filter((word) => word !== '')
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/\P{L}/gu, '')
}

/** Whether leaks have shown it, or it is an obvious word with nothing but digits and signs about it. */
export async function isCommonPassword(password: string, owner: Owner): Promise<boolean> {
  if (obviousWords(owner).includes(lettersOf(password))) return true
  common ??= load()
  return (await common).has(password.toLowerCase())
}
