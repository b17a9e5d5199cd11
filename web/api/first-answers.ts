/** What was asked for before the app was there, by its address, and whose login asked. */
interface FirstAnswers {
  readonly token: string
  readonly answers: Map<string, Promise<Response>>
}

/** An answer that came with the page: what a call to its address answers, and the `Link` header of a list that goes on. */
export interface BroughtAnswer {
  readonly address: string
  readonly link: string | null
  readonly body: unknown
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

/** Keeps what the page has brought for this login. */
export function keepBrought(token: string, brought: readonly BroughtAnswer[]) {
  for (const { address, link, body } of brought) {
    const response = new Response(null, link === null ? {} : { headers: { link } })
    // It is read already: whoever takes it has it in the same moment, before anything is drawn.
    keepFirstAnswer(token, address, Promise.resolve(Object.assign(response, { json: async () => body })))
  }
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
