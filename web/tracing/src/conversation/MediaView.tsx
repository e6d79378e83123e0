import type { Part } from '@assay/contract/message-parts.ts'
import { formatBytes } from '@assay/ui/number-format.ts'
import { IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './messages.module.css'

interface Props {
  readonly media: Extract<Part, { is: 'media' }>
}

/** An attachment. Inline images and recordings are shown; what is elsewhere is not loaded, because its host would notice. */
export function MediaView({ media }: Props) {
  const { what, link, bytes, image, audio } = media
  const [isBroken, setBroken] = useState(false)
  if (link !== undefined) return <RemoteMedia what={what} link={link} />
  const label = bytes === undefined ? what : `${what}, ${formatBytes(bytes)}`
  return (
    <div className={styles.media}>
      <IconPaperclip size={14} aria-hidden /> {label}
      {image !== undefined && !isBroken && (
        <img src={image} alt={label} onError={() => setBroken(true)} />
      )}
      {isBroken && ' (cannot be shown: not a valid image)'}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- senders report no captions */}
      {audio !== undefined && <audio controls preload="metadata" src={audio} aria-label={label} />}
    </div>
  )
}

function RemoteMedia({ what, link }: { readonly what: string; readonly link: string }) {
  return (
    <div className={styles.media}>
      <IconPaperclip size={14} aria-hidden /> {toNoun(what)} not loaded: {link}
      {/^https:\/\//i.test(link) && (
        <>
          {' '}
          <a href={link} target="_blank" rel="noopener noreferrer">
            Open link
          </a>
        </>
      )}
    </div>
  )
}

function toNoun(what: string): string {
  if (/image/i.test(what)) return 'Image'
  if (/audio/i.test(what)) return 'Recording'
  return /video/i.test(what) ? 'Video' : 'File'
}
