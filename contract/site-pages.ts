import { z } from 'zod/mini'
import { limits } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { paragraphs } from './fields.ts'
import { languageNames } from './languages.ts'

/** The pages with texts of the operator. */
export const sitePageNames = ['terms', 'privacy', 'safety'] as const
export type SitePageName = (typeof sitePageNames)[number]

/**
 * `html` has headings, paragraphs, lists, quotes, links and emphasis. Links may have a `title`, numbered lists a `start`. `language` is that
 * of the text.
 */
const sitePage = z.object({ title: z.string(), html: z.string(), language: z.enum(languageNames) })

/** Whether a page is one that an operator has saved, with the Markdown that it is made from. */
const sitePageSource = z.object({ text: z.string(), is_saved: z.boolean() })

const onePage = {
  params: z.object({ name: z.enum(sitePageNames) }),
  query: z.object({ language: z.enum(languageNames) }),
} as const

export const getSitePageSource = endpoint({
  ...onePage,
  method: 'GET',
  path: '/desk/pages/{name}',
  summary: 'Get the Markdown of a page in a language',
  auth: 'operator',
  response: { 200: sitePageSource },
})

export const previewSitePage = endpoint({
  ...onePage,
  method: 'POST',
  path: '/desk/pages/{name}/preview',
  summary: 'Show how a page looks with another text',
  auth: 'operator',
  body: z.object({ text: paragraphs(limits.sitePage) }),
  response: { 200: sitePage },
})

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
