import type { Part } from '@assay/contract/message-parts.ts'
import { formatBytes, formatCount } from '@assay/ui/number-format.ts'
import { cutText } from '@assay/ui/text-blocks.ts'
import { IconPaperclip } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import styles from './messages.module.css'
import { isTooLarge, readPictureSize } from './picture-size.ts'

interface Props {
  readonly media: Extract<Part, { is: 'media' }>
}

/** An attachment. Inline images and recordings are shown; what is elsewhere is not loaded, because its host would notice. */
export function MediaView({ media }: Props) {
  const { link, bytes, image, audio } = media
  const what = cutText(media.what)
  if (link !== undefined) return <RemoteMedia what={what} link={link} />
  const label = bytes === undefined ? what : `${what}, ${formatBytes(bytes)}`
  return (
    <div className={styles.media}>
      <IconPaperclip size={14} aria-hidden /> {label}
      {image !== undefined && <Picture address={image} label={label} />}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- senders report no captions */}
      {audio !== undefined && <audio controls preload="metadata" src={audio} aria-label={label} />}
    </div>
  )
}

function Picture({ address, label }: { readonly address: string; readonly label: string }) {
  const [isBroken, setBroken] = useState(false)
  const size = useMemo(() => readPictureSize(address), [address])
  if (size === undefined || isBroken) return ' (cannot be shown: not a valid image)'
  if (isTooLarge(size)) {
    return ` (too large to show: ${formatCount(size.width)} × ${formatCount(size.height)} pixels)`
  }
  return <img src={address} alt={label} onError={() => setBroken(true)} />
}

function RemoteMedia({ what, link }: { readonly what: string; readonly link: string }) {
  return (
    <div className={styles.media}>
      <IconPaperclip size={14} aria-hidden /> {toNoun(what)} not loaded: {cutText(link, 500)}
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
