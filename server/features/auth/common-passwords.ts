import { limits } from '#contract/constants.ts'

/** Returns the leaked passwords of zxcvbn's list that are long enough, in lower case. */
async function loadLeakedPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const leaked = dictionary['passwords-common'].filter((password) => password.length >= limits.password.min)
  return new Set(leaked.map((password) => password.toLowerCase()))
}

let leakedPasswords: Promise<ReadonlySet<string>> | undefined

/** The member that a password belongs to. */
export interface PasswordOwner {
  readonly email: string
  readonly username: string
  readonly first_name: string
  readonly last_name: string
}

/** Returns words that an attacker would try first: the site's name and the member's names. */
function obviousWords({ email, username, first_name, last_name }: PasswordOwner): string[] {
  const names = [username, email.slice(0, email.lastIndexOf('@')), first_name, last_name]
  return ['rhubarb', ...names, first_name + last_name].map(lettersOf).filter((word) => word !== '')
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/\P{L}/gu, '')
}

/** Returns whether a password is in the list of leaked ones, or an obvious word with digits and punctuation around it. */
export async function isCommonPassword(password: string, owner: PasswordOwner): Promise<boolean> {
  if (obviousWords(owner).includes(lettersOf(password))) return true
  leakedPasswords ??= loadLeakedPasswords()
  return (await leakedPasswords).has(password.toLowerCase())
}
