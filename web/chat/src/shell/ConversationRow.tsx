import type { Conversation } from '@assay/contract/conversations.ts'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconLock, IconPencil, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { EncryptionPlace } from '../api/encryption.ts'
import { formatTitle } from './conversation-title.ts'
import { RenameForm } from './RenameForm.tsx'
import styles from './sidebar.module.css'

interface Props {
  readonly conversation: Conversation
  /** Of the project. */
  readonly place: EncryptionPlace
  readonly onDelete: (conversation: Conversation) => void
  /** Called when its link is followed. */
  readonly onLeave: (() => void) | undefined
}

/** A conversation in the list: a link, and a menu to rename or delete it. */
export function ConversationRow(props: Props) {
  const { conversation, place, onDelete, onLeave } = props
  const { org: orgSlug, project: projectSlug } = place.slugs
  const [isRenaming, setRenaming] = useState(false)
  const link = useRef<HTMLAnchorElement>(null)
  const wasRenaming = useRef(false)
  useEffect(() => {
    if (wasRenaming.current && !isRenaming) link.current?.focus()
    wasRenaming.current = isRenaming
  }, [isRenaming])
  const title = formatTitle(conversation)

  if (isRenaming) {
    return (
      <li className={styles.row}>
        <RenameForm place={place} conversation={conversation} onClose={() => setRenaming(false)} />
      </li>
    )
  }
  return (
    <li className={styles.row}>
      <Link
        ref={link}
        to="/$orgSlug/$projectSlug/c/$conversationId"
        params={{ orgSlug, projectSlug, conversationId: conversation.id }}
        className={styles.link}
        title={title}
        data-conversation
        onClick={onLeave}
        onKeyDown={(event) => {
          if (event.key === 'F2') setRenaming(true)
          else if (focusNeighbor(event.currentTarget, event.key)) event.preventDefault()
        }}
      >
        {conversation.encrypted && <IconLock size={14} role="img" aria-label="Encrypted" />}
        <bdi className={styles.title}>{title}</bdi>
      </Link>
      <Menu position="bottom-end" width={150}>
        <Menu.Target>
          <ActionIcon size="sm" className={styles.more} aria-label={`Options of ${title}`}>
            <IconDots size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setRenaming(true)}>
            Rename
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={14} />}
            onClick={() => onDelete(conversation)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}

/** The arrow keys move between the links of conversations. */
function focusNeighbor(link: HTMLElement, key: string): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  const list = link.closest('nav')
  if (step === undefined || list === null) return false
  const links = [...list.querySelectorAll<HTMLElement>('[data-conversation]')]
  const next = links[links.indexOf(link) + step]
  next?.focus()
  return next !== undefined
}
