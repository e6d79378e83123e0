import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { limits } from '@assay/contract/limits.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type DragEvent, type SyntheticEvent, useState } from 'react'
import type { SourceBody } from '../../api/synthetic.ts'
import page from '../../page/page.module.css'
import { FileDrop } from './FileDrop.tsx'
import { readBase64 } from './read-file.ts'
import {
  findFileProblem,
  findTextProblem,
  findUrlProblem,
  formatRefusal,
  maxSize,
} from './source-problems.ts'
import type { SourceSearch } from './source-search.ts'
import styles from './synthetic.module.css'
import { useSynthetic } from './synthetic-context.ts'

const route = getRouteApi('/signed-in/p/$projectId/synthetic/source')

type From = NonNullable<SourceSearch['from']> | 'text'

/** Takes pasted text, a link or a file, and reads it. */
export function SourceForm() {
  const navigate = route.useNavigate()
  const { from = 'text' } = usePageSearch(route)
  const { draft, changeDraft, reading } = useSynthetic()
  const [problem, setProblem] = useState<string>()
  const [fileName, setFileName] = useState<string>()
  const { isPending } = reading

  // The refusal of a request stays until the source changes.
  const [refusedFrom, setRefusedFrom] = useState<From>(from)
  const refusal =
    reading.error === null || refusedFrom !== from ? undefined : formatRefusal(reading.error)
  const error = problem ?? refusal

  function choose(next: From): void {
    setProblem(undefined)
    void navigate({ search: next === 'text' ? {} : { from: next }, replace: true })
  }

  /** Sends nothing if a problem was found. */
  function read(of: From, found: string | undefined, body: SourceBody): void {
    setProblem(found)
    setRefusedFrom(of)
    if (found === undefined) reading.start(body)
    else reading.cancel()
  }

  function readFile(file: File): void {
    if (isPending) return
    setFileName(file.name)
    const found = findFileProblem(file)
    if (found !== undefined) return setProblem(found)
    readBase64(file).then(
      (content_base64) => read('file', undefined, { file: { name: file.name, content_base64 } }),
      (cause: unknown) => setProblem(formatRefusal(cause as Error)),
    )
  }

  function submit(event: SyntheticEvent): void {
    event.preventDefault()
    const { text, url } = draft
    if (from === 'link') read(from, findUrlProblem(url), { url: url.trim() })
    else if (from === 'text') read(from, findTextProblem(text), { text })
  }

  function drop(event: DragEvent): void {
    const [file] = event.dataTransfer.files
    if (file === undefined) return
    event.preventDefault()
    if (from !== 'file') choose('file')
    readFile(file)
  }

  function change(next: { readonly text?: string; readonly url?: string }): void {
    setProblem(undefined)
    if (!isPending) reading.cancel()
    changeDraft(next)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is a shortcut for the button
    <form
      noValidate
      className={styles.stack}
      aria-label="Source"
      onSubmit={submit}
      // Otherwise, the browser opens a file that is dropped beside the box.
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <SegmentedControl
        aria-label="Read from"
        className={styles.narrow}
        data={[
          { value: 'text', label: 'Text' },
          { value: 'link', label: 'Link' },
          { value: 'file', label: 'File' },
        ]}
        value={from}
        disabled={isPending}
        onChange={(value) => choose(value)}
      />
      {from === 'text' && (
        <Textarea
          label="Text"
          description={`At least ${limits.sourceReadable.value} letters and digits. Text after ${formatCount(limits.sourceTextLength.value)} characters is left out.`}
          required
          autosize
          minRows={10}
          maxRows={22}
          value={draft.text}
          error={error}
          readOnly={isPending}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
      )}
      {from === 'link' && (
        <TextInput
          label="Link"
          type="url"
          description={`A public page or document that opens without signing in, up to ${maxSize}.`}
          placeholder="https://example.com/returns"
          required
          autoComplete="off"
          value={draft.url}
          error={error}
          readOnly={isPending}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
      )}
      {from === 'file' && (
        <FileDrop name={fileName} error={error} isPending={isPending} onFile={readFile} />
      )}
      <div className={page.line}>
        {from !== 'file' && (
          <Button type="submit" size="sm" loading={isPending}>
            Read the source
          </Button>
        )}
        {isPending && (
          <Button variant="default" size="sm" onClick={reading.cancel}>
            Cancel
          </Button>
        )}
        <span role="status" className="dimmed">
          {isPending && `Reading. This takes up to ${limits.documentSeconds.value} seconds.`}
        </span>
      </div>
    </form>
  )
}
