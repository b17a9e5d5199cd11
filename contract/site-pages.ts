import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { languageNames } from './languages.ts'

/** The pages with texts of the operator. */
export const sitePageNames = ['terms', 'privacy', 'safety'] as const
export type SitePageName = (typeof sitePageNames)[number]

/**
 * `html` has headings, paragraphs, lists, quotes, links and emphasis. Links may have a `title`, numbered lists a `start`. `language` is that
 * of the text.
 */
const sitePage = z.object({ title: z.string(), html: z.string(), language: z.enum(languageNames) })

export const getSitePage = endpoint({
  method: 'GET',
  path: '/pages/{name}',
  summary: 'Get the terms, the privacy notice or the safety advice, in English if there is no translation',
  auth: 'anyone',
  params: z.object({ name: z.enum(sitePageNames) }),
  /** By default the language is the best for the Accept-Language header. */
  query: z.object({ language: z.optional(z.enum(languageNames)) }),
  response: { 200: sitePage },
})
