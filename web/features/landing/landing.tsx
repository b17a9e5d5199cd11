import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import rhubarb from '#web/art/crops/rhubarb.svg'
import lettering from '#web/art/logo/lettering.svg'
import letteringOnDark from '#web/art/logo/lettering-on-dark.svg'
import mark from '#web/art/logo/mark.svg'
import wordmark from '#web/art/logo/wordmark-on-dark.svg'
import border from '#web/art/scenes/border.svg'
import border1280 from '#web/art/scenes/border-1280.avif'
import border2560 from '#web/art/scenes/border-2560.avif'
import fence from '#web/art/scenes/fence.svg'
import fence1200 from '#web/art/scenes/fence-1200.avif'
import fence2000 from '#web/art/scenes/fence-2000.avif'
import fencePhone from '#web/art/scenes/fence-phone.avif'
import connect from '#web/art/steps/connect.svg'
import list from '#web/art/steps/list.svg'
import match from '#web/art/steps/match.svg'
import share from '#web/art/steps/share.svg'
import { useAppContext } from '#web/context/app-context.ts'
import { useRegistrationNotice, useSignUpLabel } from '#web/features/auth/registration-texts.ts'
import { SitePageLinks } from '#web/features/site-pages/site-page-links.tsx'
import text from '#web/styles/text.module.css'
import { type ButtonShape, buttonClass } from '#web/ui/button-class.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Icon } from '#web/ui/icon.tsx'
import { LanguageLinks } from '#web/ui/language-links.tsx'
import { Cluster, Grid, Row } from '#web/ui/layout.tsx'
import { SiteBanner } from '#web/ui/site-banner.tsx'
import { SiteName, useHomeLabel, useSiteName } from '#web/ui/site-name.tsx'
import { ThemeImage } from '#web/ui/theme-image.tsx'
import thumbnail from '#web/ui/thumbnail.module.css'
import css from './landing.module.css'

const steps = () => [
  {
    art: list,
    name: t`List`,
    text: t`Write down what you have to sell, exchange or give away, and what you want.`,
  },
  {
    art: connect,
    name: t`Connect`,
    text: t`Befriend the gardeners around you with a link or a QR code.`,
  },
  {
    art: share,
    name: t`Share`,
    text: t`Show a listing to friends only, or to the whole neighborhood.`,
  },
  {
    art: match,
    name: t`Match`,
    text: t`When something fits your wish list, we send you a notification.`,
  },
]

/** The front page. It works with the landing page's bootstrap script alone. */
export function Landing() {
  return (
    <>
      <SiteBanner />
      <Header />
      <main>
        <Hero />
        <Steps />
        <WantPromise />
        <FinalCall />
      </main>
      <Footer />
    </>
  )
}

function Header() {
  return (
    <Cluster as="header" className={classNames(css.shell, css.header)}>
      <a className={css.home} href="/" aria-label={useHomeLabel()}>
        {useAppContext().site.logo === null ? (
          <img src={mark} alt="" width="44" height="44" />
        ) : (
          <SiteName drawn={null} />
        )}
      </a>
      <Cluster gap="0">
        <a className={css.languages} href="#languages" aria-label={t`Language`}>
          <Icon name="globe" />
        </a>
        <Cluster as="nav" aria-label={t`Account`}>
          <LoginOrLogout variant="quiet" size="small" />
          <SignUpOrMarketplace size="small" />
        </Cluster>
      </Cluster>
    </Cluster>
  )
}

function Hero() {
  const { name, sentence } = useAppContext().site
  return (
    <section className={css.shell}>
      <div className={css.hero}>
        <div className={css.heroInner}>
          <Grid className={css.heroText}>
            <Row as="p" className={classNames(css.heroOverline, text.overline)}>{t`The garden exchange`}</Row>
            <SiteName
              drawn={
                <ThemeImage
                  className={css.lettering}
                  light={lettering}
                  dark={letteringOnDark}
                  alt={name}
                  width="480"
                  height="84"
                />
              }
            />
            <h1>{sentence === '' ? t`Good things get passed over the fence.` : <bdi>{sentence}</bdi>}</h1>
            <p>
              {t`List the produce, seeds and plants you have, say what you are looking for, and talk it over with the people next door. It is free.`}
            </p>
            <Cluster gap="3" className={css.heroActions}>
              <SignUpOrMarketplace />
              <LoginOrLogout variant="secondary" />
            </Cluster>
            <RegistrationNotice />
          </Grid>
          <picture>
            <source media="(max-width: 440px)" type="image/avif" srcSet={fencePhone} />
            {/* `object-fit` crops its sides, so the loaded picture is wider than its box. */}
            <source
              type="image/avif"
              srcSet={`${fence1200} 1200w, ${fence2000} 2000w`}
              sizes="(min-width: 769px) 1000px, 583px"
            />
            <img
              className={css.heroPicture}
              src={fence}
              alt={t`Two neighbors passing a bunch of rhubarb over a garden fence`}
              width="1200"
              height="560"
              fetchPriority="high"
            />
          </picture>
        </div>
      </div>
    </section>
  )
}

function Steps() {
  return (
    <section className={classNames(css.shell, css.band)} aria-labelledby="how">
      <h2 id="how" className={text.sideTitle}>
        {t`How it goes`}
      </h2>
      <ol className={css.steps}>
        {steps().map((step) => (
          <li key={step.name}>
            <img src={step.art} alt="" width="480" height="360" loading="lazy" />
            <h3>{step.name}</h3>
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function WantPromise() {
  return (
    <section className={css.promise} aria-labelledby="want">
      <div className={css.shell}>
        <div>
          <h2 id="want">{t`Want it once`}</h2>
          <p className={css.want}>
            {t`Put garlic, lemon verbena or a rhubarb crown on your wish list and forget about it. The day a neighbor lists one, you get a notification.`}
          </p>
        </div>
        <div className={css.note}>
          <div className={thumbnail.thumbnail}>
            <img src={rhubarb} alt="" width="88" height="88" loading="lazy" />
          </div>
          <div>
            <p className={text.overline}>{t`A match for your wish list`}</p>
            <h3>{t`Rhubarb crowns, three`}</h3>
            <p
              className={classNames(css.from, text.caption, text.muted)}
            >{t`from old_orchard, six doors down`}</p>
            <Row as="p" className={css.gift}>
              <Icon name="gift" size={18} />
              {t`giveaway`}
            </Row>
          </div>
        </div>
      </div>
    </section>
  )
}

function FinalCall() {
  return (
    <section className={css.finalCall} aria-labelledby="free">
      <div className={css.shell}>
        <h2 id="free">{t`Free to join, free to use`}</h2>
        <p>
          {t`No fees and no commission. ${{ site: useSiteName() }} takes nothing from what passes between you and your neighbors.`}
        </p>
        <RegistrationNotice />
        <SignUpOrMarketplace />
      </div>
      <picture>
        <source type="image/avif" srcSet={`${border1280} 1280w, ${border2560} 2560w`} sizes="100vw" />
        <img src={border} alt="" width="1280" height="220" loading="lazy" />
      </picture>
    </section>
  )
}

function Footer() {
  const { name, supportEmail, socialLinks } = useAppContext().site
  return (
    <footer className={css.footer}>
      <div className={css.shell}>
        <div>
          <SiteName
            drawn={
              <img
                className={css.wordmark}
                src={wordmark}
                alt={name}
                width="190"
                height="40"
                loading="lazy"
              />
            }
          />
          <p>
            {t`On stage, a crowd that has to sound like talk murmurs “rhubarb, rhubarb”. In the garden, it is the plant you cannot help sharing: split a crown and hand half over the fence. We are a market that does both.`}
          </p>
        </div>
        <div className={css.block}>
          <h3>{t`Follow along`}</h3>
          <ul>
            {socialLinks.map(({ name, url }) => (
              <li key={url}>
                <a href={url}>{name}</a>
              </li>
            ))}
          </ul>
        </div>
        <div className={css.block}>
          <h3>{t`Good to know`}</h3>
          <SitePageLinks />
        </div>
        <div id="languages" className={css.block}>
          <h3>{t`Language`}</h3>
          <LanguageLinks />
        </div>
        <div className={css.block}>
          <h3>{t`Contact`}</h3>
          <ul>
            <li>
              <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
            </li>
          </ul>
        </div>
      </div>
    </footer>
  )
}

function LoginOrLogout(shape: ButtonShape) {
  return (
    <ByLogin
      visitor={
        <a className={buttonClass(shape)} href="/login">
          {t`Login`}
        </a>
      }
      member={
        <button className={buttonClass(shape)} type="button" data-logout>
          {t`Logout`}
        </button>
      }
    />
  )
}

function SignUpOrMarketplace(shape: ButtonShape) {
  return (
    <ByLogin
      visitor={
        <a className={buttonClass(shape)} href="/register">
          {useSignUpLabel()}
        </a>
      }
      member={
        <a className={buttonClass(shape)} href="/listings">
          {t`Marketplace`}
        </a>
      }
    />
  )
}

/** Says to visitors who can register, unless everybody can. */
function RegistrationNotice() {
  const notice = useRegistrationNotice()
  return notice && <ByLogin visitor={<p>{notice}</p>} member={null} />
}

/** Renders both. The bootstrap script sets `data-login`, and the style sheet shows one of them. */
function ByLogin({ visitor, member }: { visitor: ReactNode; member: ReactNode }) {
  return (
    <>
      <span className={css.visitor}>{visitor}</span>
      <span className={css.member}>{member}</span>
    </>
  )
}
