import { Button, FileButton } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { extensionList, maxSize } from './source-problems.ts'
import styles from './synthetic.module.css'

interface Props {
  readonly name: string | undefined
  readonly error: string | undefined
  readonly isPending: boolean
  readonly onFile: (file: File) => void
}

/** A file to choose, or to drop on the form. */
export function FileDrop({ name, error, isPending, onFile }: Props) {
  const [isOver, setOver] = useState(false)
  const id = useId()
  const reset = useRef<() => void>(null)
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={() => setOver(false)}
    >
      <IconFileUpload size={22} stroke={1.5} aria-hidden />
      <p>
        Drop a file here, or{' '}
        <FileButton
          accept={extensionList.replaceAll(' ', '')}
          resetRef={reset}
          onChange={(file) => {
            if (file !== null) onFile(file)
            // The same file may be chosen again after it was changed.
            reset.current?.()
          }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={isPending}
              aria-describedby={`${id}-limits ${id}-error`}
            >
              Choose a file
            </Button>
          )}
        </FileButton>
      </p>
      <p id={`${id}-limits`} className="dimmed">
        {extensionList}, up to {maxSize}. Scanned pages have no text.
      </p>
      {name !== undefined && <p>{name}</p>}
      <p id={`${id}-error`} role="alert" className={styles.error}>
        {error}
      </p>
    </div>
  )
}
