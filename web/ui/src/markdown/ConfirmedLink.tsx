import { Button, Modal } from '@mantine/core'
import { type MouseEvent, type ReactNode, useState } from 'react'
import styles from './markdown.module.css'

interface Props {
  readonly href: string | undefined
  readonly children: ReactNode
}

/** A link in a message: it shows where it leads before it opens. Without a safe address, only its text remains. */
export function ConfirmedLink({ href, children }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [hasAsked, setHasAsked] = useState(false)
  if (href === undefined || !/^(?:https?:\/\/|mailto:)/i.test(href)) return <span>{children}</span>
  function ask(event: MouseEvent): void {
    event.preventDefault()
    setHasAsked(true)
    setAsking(true)
  }
  function open(): void {
    setAsking(false)
    window.open(href, '_blank', 'noopener,noreferrer')
  }
  return (
    <>
      <a href={href} rel="noopener noreferrer" draggable={false} onClick={ask} onAuxClick={ask}>
        {children}
      </a>
      {hasAsked && (
        <Modal opened={isAsking} onClose={() => setAsking(false)} title="Open this link?">
          <p className={styles.question}>
            This address comes from the message. What it contains is sent to that site.
          </p>
          <pre className={styles.address}>{href}</pre>
          <div className={styles.buttons}>
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              Cancel
            </Button>
            <Button onClick={open}>Open link</Button>
          </div>
        </Modal>
      )}
    </>
  )
}
