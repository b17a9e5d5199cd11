/** No inline script or style, no third party, and Trusted Types. */
export const policy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  workerSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  // The policy of web/api/trusted.ts.
  trustedTypes: ['rhubarb'],
}

/** Returns the policy of a page: its own inline scripts have the nonce. */
export function pagePolicy(nonce: string): string {
  return policyWith({ scriptSrc: ["'self'", `'nonce-${nonce}'`] })
}

/** Returns the policy with other values of some directives. A directive without values is left out. */
export function policyWith(changes: Partial<Record<keyof typeof policy, readonly string[]>>): string {
  return Object.entries({ ...policy, ...changes })
    .filter(([, values]) => values.length > 0)
    .map(
      ([name, values]) =>
        `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${values.join(' ')}`,
    )
    .join(';')
}
