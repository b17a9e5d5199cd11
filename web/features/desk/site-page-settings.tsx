import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { directionOf, type Language, languageNames, languages } from '#contract/languages.ts'
import { previewSitePage, type SitePageName, sitePageNames } from '#contract/site-pages.ts'
import { type CurrentSettings, pageSetting, saveSiteSettings } from '#contract/site-settings.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
import { RestoredDraftNotice } from '#web/features/drafts/restored-draft-notice.tsx'
import { useDraft } from '#web/features/drafts/use-draft.ts'
import { SitePageText } from '#web/features/site-pages/site-page-text.tsx'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SelectField, TextArea } from '#web/ui/field.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { refreshDesk, sitePageSourceQuery, siteSettingsQuery } from './desk-queries.ts'
import { pageTexts } from './desk-texts.ts'

/** The terms, the privacy notice and the advice on safety in Markdown, each in each language. */
export function PageSettings({ site }: { site: CurrentSettings }) {
  const [name, setName] = useState<SitePageName>('terms')
  const [language, setLanguage] = useState<Language>('en')
  return (
    <Stack as="section" gap="4" className={layout.section} aria-labelledby="pages">
      <SectionTitle id="pages">{t`Pages`}</SectionTitle>
      <SelectField
        label={t`Page`}
        value={name}
        options={sitePageNames.map((value) => ({ value, label: textOf(pageTexts[value]) }))}
        onChange={({ target }) => setName(sitePageNames.find((each) => each === target.value) ?? name)}
      />
      <SelectField
        label={t`Language`}
        value={language}
        options={languageNames.map((value) => ({ value, label: languages[value] }))}
        onChange={({ target }) =>
          setLanguage(languageNames.find((each) => each === target.value) ?? language)
        }
      />
      <PageEditor key={pageSetting(name, language)} page={{ name, language }} version={site.version} />
    </Stack>
  )
}

/** A typed text and the version of the settings that it is about. After a conflict it is the newest. */
interface TypedPage {
  readonly text: string
  readonly version: number
}

function readTypedPage(stored: unknown): TypedPage | undefined {
  const { text, version } = Object(stored)
  return typeof text === 'string' && typeof version === 'number' ? { text, version } : undefined
}

interface EditorProps {
  page: { name: SitePageName; language: Language }
  version: number
}

/** Keeps the typed text as a draft until it is saved. */
function usePageText({ page: { name, language }, version }: EditorProps) {
  const client = useQueryClient()
  const source = useQuery(sitePageSourceQuery(name, language))
  const setting = pageSetting(name, language)
  const draft = useDraft(setting, readTypedPage)
  const [typed, setTyped] = useState<TypedPage>()
  const [isSaved, setSaved] = useState(false)
  const restored = isSaved ? undefined : draft.restored
  const shown = typed ?? restored ?? { text: source.data?.text ?? '', version }
  const save = useMutation({
    async mutationFn({ text, version }: TypedPage) {
      const clearDraft = draft.submit()
      await call(client, saveSiteSettings, { body: { version, [setting]: text } })
      clearDraft()
    },
    async onSettled(_, failure, sent) {
      await refreshDesk(client)
      const newest = client.getQueryData(siteSettingsQuery.queryKey)?.version ?? sent.version
      if (failure === null) setSaved(true)
      setTyped((now) =>
        now === undefined || (failure === null && now.text === sent.text)
          ? undefined
          : { ...now, version: newest },
      )
    },
  })
  return {
    source,
    shown: shown.text,
    isRestored: restored !== undefined,
    save,
    submit() {
      setTyped(shown)
      save.mutate(shown)
    },
    type(text: string) {
      const next = { ...shown, text }
      save.reset()
      setTyped(next)
      draft.save(next)
    },
    discard() {
      setTyped(undefined)
      draft.discard()
    },
  }
}

function PageEditor({ page, version }: EditorProps) {
  const client = useQueryClient()
  const { name, language } = page
  const { source, shown, isRestored, save, submit, type, discard } = usePageText({ page, version })
  const preview = useMutation({
    mutationFn: () =>
      call(client, previewSitePage, { params: { name }, query: { language }, body: { text: shown } }),
  })
  const failure = save.error ?? preview.error
  if (source.isPending) return <RowsSkeleton />
  if (source.data === undefined)
    return <ErrorState text={t`Failed to load data`} onRetry={() => void source.refetch()} />
  return (
    <>
      {isRestored && <RestoredDraftNotice onDiscard={discard} />}
      <TextArea
        label={t`Text in Markdown`}
        hint={t`The first heading is the title. Empty it to go back to the text before anything was saved. HTML is shown as text. ${{ site_name: '{site_name}' }} and ${{ support_email: '{support_email}' }} stand for the name and the address of the site.`}
        rows={14}
        lang={language}
        dir={directionOf(language)}
        value={shown}
        error={failure ? errorText(failure) : undefined}
        onChange={({ target }) => type(target.value)}
      />
      <Cluster gap="2">
        <Button
          variant="secondary"
          busy={preview.isPending && t`Loading...`}
          onClick={() => preview.mutate()}
        >{t`preview`}</Button>
        <Button variant="secondary" busy={save.isPending && t`Saving...`} onClick={submit}>{t`save`}</Button>
      </Cluster>
      <p role="status">{save.isSuccess && t`The settings are saved.`}</p>
      {preview.data && (
        <section aria-label={t`Preview`} className={layout.ruled}>
          <h3 className={text.sideTitle} lang={language} dir={directionOf(language)}>
            {preview.data.title}
          </h3>
          <SitePageText page={preview.data} />
        </section>
      )}
    </>
  )
}
