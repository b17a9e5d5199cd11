/** What was asked for before the app was there, by its address, and whose login asked. */
interface FirstAnswers {
  readonly token: string
  readonly answers: Map<string, Promise<Response>>
}

declare global {
  /** Set by the page's first script, which shares no module with the app. */
  var firstAnswers: FirstAnswers | undefined
}

/** Keeps an answer that is on its way until the app asks for it. */
export function keepFirstAnswer(token: string, address: string, answer: Promise<Response>) {
  globalThis.firstAnswers ??= { token, answers: new Map() }
  globalThis.firstAnswers.answers.set(address, answer)
  // Whoever takes it is told of the failure.
  answer.catch(() => undefined)
}

/** The answer, if this login asked for it before: once. */
export function takeFirstAnswer(address: string, token: string | undefined): Promise<Response> | undefined {
  const { firstAnswers: first } = globalThis
  if (first === undefined || first.token !== token) return undefined
  const answer = first.answers.get(address)
  first.answers.delete(address)
  return answer
}

/** To be called when the first screen stands: what it did not ask for would soon be old. */
export function dropFirstAnswers() {
  globalThis.firstAnswers = undefined
}
