import { limits } from '#contract/constants.ts'

/** Loaded at the first registration: 30,000 passwords that leaks have shown, of which only the long enough matter here. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const known = dictionary['passwords-common'].filter((password) => password.length >= limits.password.min)
  return new Set(known.map((password) => password.toLowerCase()))
}

let common: Promise<ReadonlySet<string>> | undefined

export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= load()
  return (await common).has(password.toLowerCase())
}
