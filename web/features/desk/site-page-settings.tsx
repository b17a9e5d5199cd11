import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { directionOf, type Language, languageNames, languages } from '#contract/languages.ts'
import { previewSitePage, type SitePageName, sitePageNames } from '#contract/site-pages.ts'
import { type CurrentSettings, pageSetting, saveSiteSettings } from '#contract/site-settings.ts'
import { errorText } from '#web/api/api-error.ts'
import { call } from '#web/api/client.ts'
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
  /** The typed texts by setting. They stay when another page or language is chosen. */
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const setting = pageSetting(name, language)
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
      <PageEditor
        key={setting}
        page={{ name, language }}
        version={site.version}
        typed={typed[setting]}
        onType={(next) => setTyped((all) => ({ ...all, [setting]: next }))}
      />
    </Stack>
  )
}

interface EditorProps {
  page: { name: SitePageName; language: Language }
  version: number
  /** What was typed before; undefined for what is saved. */
  typed: string | undefined
  onType: (next: string) => void
}

function PageEditor({ page: { name, language }, version, typed, onType }: EditorProps) {
  const client = useQueryClient()
  const source = useQuery(sitePageSourceQuery(name, language))
  /** The version that the text is about. After a conflict it is the newest. */
  const [seen, setSeen] = useState(version)
  const shown = typed ?? source.data?.text ?? ''
  const preview = useMutation({
    mutationFn: () =>
      call(client, previewSitePage, { params: { name }, query: { language }, body: { text: shown } }),
  })
  const save = useMutation({
    mutationFn: () =>
      call(client, saveSiteSettings, {
        body: { version: typed === undefined ? version : seen, [pageSetting(name, language)]: shown },
      }),
    async onSettled() {
      await refreshDesk(client)
      setSeen(client.getQueryData(siteSettingsQuery.queryKey)?.version ?? seen)
    },
  })
  const failure = save.error ?? preview.error
  if (source.isPending) return <RowsSkeleton />
  if (source.data === undefined)
    return <ErrorState text={t`Failed to load data`} onRetry={() => void source.refetch()} />
  return (
    <>
      <TextArea
        label={t`Text in Markdown`}
        hint={t`The first heading is the title. Empty it to go back to the text before anything was saved. HTML is shown as text.`}
        rows={14}
        lang={language}
        dir={directionOf(language)}
        value={shown}
        error={failure ? errorText(failure) : undefined}
        onChange={({ target }) => {
          if (typed === undefined) setSeen(version)
          save.reset()
          onType(target.value)
        }}
      />
      <Cluster gap="2">
        <Button
          variant="secondary"
          busy={preview.isPending && t`Loading...`}
          onClick={() => preview.mutate()}
        >{t`preview`}</Button>
        <Button
          variant="secondary"
          busy={save.isPending && t`Saving...`}
          onClick={() => save.mutate()}
        >{t`save`}</Button>
      </Cluster>
      <p role="status">{save.isSuccess && t`The settings are saved.`}</p>
      {preview.data && (
        <section aria-label={t`Preview`} className={layout.ruleAbove}>
          <h3 className={text.sideTitle} lang={language} dir={directionOf(language)}>
            {preview.data.title}
          </h3>
          <SitePageText page={preview.data} />
        </section>
      )}
    </>
  )
}
