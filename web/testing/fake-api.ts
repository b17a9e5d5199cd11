import { BatchInterceptor } from '@mswjs/interceptors'
import { FetchInterceptor } from '@mswjs/interceptors/fetch'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'

/** A refusal of the API: a status with problem details. */
export class Refusal {
  readonly status: number
  readonly problem: { detail: string; code?: string; errors?: { field: string; message: string }[] }
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, problem: Refusal['problem'], headers: Refusal['headers'] = {}) {
    this.status = status
    this.problem = problem
    this.headers = headers
  }
}

/** A call that a component has sent. */
export interface SentCall<E extends Endpoint> {
  readonly params: Readonly<Record<string, string | undefined>>
  /** The parsed JSON, or the form of a multipart body. */
  readonly body: E extends { file: string }
    ? FormData
    : CallInput<E> extends { body: infer Body }
      ? Body
      : undefined
}

type Answer<E extends Endpoint> = CallOutput<E> | Refusal

/** Returns the response to a request, or undefined for a request that is not for it. */
type Responder = (request: Request) => Promise<Response | undefined>

/**
 * Answers the API calls of a page in place of the server: those of `fetch` and the uploads of `XMLHttpRequest`. A call without an answer
 * fails like one without a network.
 */
export function fakeApi() {
  const responders: Responder[] = []
  const interceptor = new BatchInterceptor({
    name: 'api',
    interceptors: [new FetchInterceptor(), new XMLHttpRequestInterceptor()],
  })
  interceptor.apply()
  interceptor.on('request', async ({ request, controller }) => {
    if (!new URL(request.url).pathname.startsWith('/api/')) return
    for (const respond of responders) {
      const response = await respond(request)
      if (response) return controller.respondWith(response)
    }
    controller.errorWith(new TypeError(`No answer to ${request.method} ${request.url}`))
  })

  return {
    /** Sets the answer of an endpoint, before older ones. Returns the list of its calls, which grows. */
    on<E extends Endpoint>(
      endpoint: E,
      answer: (call: SentCall<E>) => Answer<E> | Promise<Answer<E>>,
    ): SentCall<E>[] {
      const calls: SentCall<E>[] = []
      const pathname = `/api${endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
      const pattern = new URLPattern({ pathname })
      responders.unshift(async (request) => {
        const match = pattern.exec({ pathname: new URL(request.url).pathname })
        if (match === null || request.method !== endpoint.method) return undefined
        const sent = { params: match.pathname.groups, body: await bodyOf(request) } as SentCall<E>
        calls.push(sent)
        return toResponse(await answer(sent))
      })
      return calls
    },
    stop: () => interceptor.dispose(),
  }
}

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (type.startsWith('multipart/')) return request.formData()
  return type.startsWith('application/json') ? request.json() : undefined
}

function toResponse(answer: unknown): Response {
  if (answer instanceof Refusal) {
    const { problem, status, headers } = answer
    return Response.json(problem, { status, headers })
  }
  return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
}
