import { errorMessages } from '#contract/error-messages.ts'

/** An error of the server: in an HTTP response, in an acknowledgement, or of a refused connection (status 0). */
export interface Refusal {
  readonly status: number
  readonly detail?: string | undefined
}

/** Returns whether an error only says that the service is unavailable for a moment. */
export function saysTryAgain({ status, detail }: Refusal): boolean {
  return status === 503 && detail === errorMessages.unavailable
}
