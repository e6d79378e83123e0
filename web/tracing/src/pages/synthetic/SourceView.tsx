import { limits } from '@assay/contract/limits.ts'
import type { SyntheticSource } from '@assay/contract/synthetic.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import page from '../../page/page.module.css'
import { SourceText } from './SourceText.tsx'
import styles from './synthetic.module.css'

/** What was read, with notes on what was left out. */
export function SourceView({ source }: { readonly source: SyntheticSource }) {
  const { label, title, format, chars, truncated, notes, text } = source
  return (
    <div className={styles.stack}>
      <dl className={page.facts}>
        <dt>Source</dt>
        <dd>{label}</dd>
        {title !== '' && (
          <>
            <dt>Title</dt>
            <dd>{title}</dd>
          </>
        )}
        <dt>Format</dt>
        <dd>{formatLabels[format] ?? format}</dd>
        <dt>Length</dt>
        <dd>
          {formatCount(chars)} characters{truncated && ', truncated'}
        </dd>
      </dl>
      {truncated && (
        <p className={styles.warning} role="status">
          The source is longer than {formatCount(limits.sourceTextLength.value)} characters. The
          blueprint covers its beginning only: split the document to cover the rest.
        </p>
      )}
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label="Notes on the source">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <SourceText text={text} />
    </div>
  )
}

const formatLabels: Readonly<Record<string, string>> = {
  text: 'Text',
  markdown: 'Markdown',
  csv: 'CSV',
  json: 'JSON',
  html: 'Web page',
  pdf: 'PDF',
  docx: 'Word document',
}
