import { useProducts } from '@assay/account/api/session.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { productLink } from '@assay/account/session-transfer/transfer-links.ts'
import side from '@assay/account/shell/side.module.css'
import { ThemeSwitch } from '@assay/account/shell/ThemeSwitch.tsx'
import { UserMenu } from '@assay/account/shell/UserMenu.tsx'
import { Menu } from '@mantine/core'
import { IconListTree, IconLock, IconPlus, IconUser } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { forgetDraftTexts } from '../thread/draft-text.ts'
import { ConversationList } from './ConversationList.tsx'
import { DeletionNotice } from './DeletionNotice.tsx'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import { SearchInput } from './SearchInput.tsx'
import styles from './sidebar.module.css'
import type { Deletions } from './use-deletions.ts'
import { type CurrentProject, useProjectOfAddress } from './use-project.ts'

interface Props {
  readonly deletions: Deletions
  /** Called when a link is followed, so that a drawer can close. */
  readonly onLeave: (() => void) | undefined
}

/** The project, its conversations, and the menu of the person. */
export function Sidebar({ deletions, onLeave }: Props) {
  const current = useProjectOfAddress()
  const tracing = useProducts()?.tracing
  const sidebar = useRef<HTMLDivElement>(null)
  return (
    <div ref={sidebar} className={`${side.nav} ${styles.sidebar}`}>
      {onLeave === undefined && (
        <Link to="/" className={side.brand}>
          <img src="/favicon.svg" width={20} height={20} alt="" />
          Assay Chat
        </Link>
      )}
      <ProjectSwitcher current={current} onLeave={onLeave} />
      {current !== undefined && <Conversations {...{ current, deletions, onLeave }} />}
      <div className={side.foot}>
        <DeletionNotice
          deletions={deletions}
          onLeave={() => sidebar.current?.querySelector<HTMLElement>('[data-new]')?.focus()}
        />
        {current !== undefined && (
          <Link
            to="/$orgSlug/$projectSlug/encryption"
            params={{ orgSlug: current.organization.slug, projectSlug: current.project.slug }}
            className={side.link}
            {...(onLeave && { onClick: onLeave })}
          >
            <IconLock size={17} stroke={1.75} aria-hidden />
            Encryption
          </Link>
        )}
        {tracing !== undefined && current !== undefined && (
          <a href={productLink(tracing, `/p/${current.project.id}/traces`)} className={side.link}>
            <IconListTree size={17} stroke={1.75} aria-hidden />
            Traces
          </a>
        )}
        <ThemeSwitch />
        <UserMenu forgetPerson={forgetDraftTexts}>
          {tracing !== undefined && (
            <Menu.Item
              component="a"
              href={productLink(tracing, '/profile')}
              leftSection={<IconUser size={15} />}
            >
              Profile
            </Menu.Item>
          )}
        </UserMenu>
      </div>
    </div>
  )
}

function Conversations({ current, deletions, onLeave }: Props & { current: CurrentProject }) {
  const navigate = useNavigate()
  const { q = '' } = useSearch({ strict: false })
  const params = { orgSlug: current.organization.slug, projectSlug: current.project.slug }
  const search = (text: string) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, q: text === '' ? undefined : text }),
      replace: true,
    })
  return (
    <>
      <LinkButton
        to="/$orgSlug/$projectSlug"
        params={params}
        variant="default"
        justify="flex-start"
        leftSection={<IconPlus size={15} aria-hidden />}
        rightSection={
          <kbd className={styles.key} aria-hidden>
            n
          </kbd>
        }
        classNames={{ label: styles.newLabel }}
        aria-keyshortcuts="n"
        data-new
        onClick={onLeave}
      >
        New conversation
      </LinkButton>
      <nav aria-label="Conversations" className={styles.conversations}>
        <SearchInput value={q} onCommit={search} />
        <div className={styles.scroll}>
          <ConversationList
            key={current.project.id}
            current={current}
            search={q}
            onClearSearch={() => search('')}
            onDelete={deletions.remove}
            onLeave={onLeave}
          />
        </div>
      </nav>
    </>
  )
}
