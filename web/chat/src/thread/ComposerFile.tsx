import { formatBytes } from '@assay/ui/number-format.ts'
import { AttachmentPrimitive, useAuiState } from '@assistant-ui/react'
import { ActionIcon, Progress } from '@mantine/core'
import { IconAlertTriangle, IconFile, IconX } from '@tabler/icons-react'
import { formatFinding } from './finding-labels.ts'
import styles from './thread.module.css'
import { useThreadContext } from './thread-context.ts'

/** A file of the message that is written: its upload, and what was found in it. */
export function ComposerFile() {
  const { uploads } = useThreadContext()
  const { id, name, status } = useAuiState(({ attachment }) => attachment)
  const uploaded = uploads.find(id)
  const findings = uploaded?.findings ?? []
  const problem = status.type === 'incomplete' ? (status.message ?? 'Not uploaded.') : undefined
  const isUploading = status.type === 'running'
  return (
    <AttachmentPrimitive.Root asChild>
      <li className={styles.file} data-failed={problem !== undefined}>
        <IconFile size={14} aria-hidden />
        <span className={styles.fileName} title={name}>
          {name}
        </span>
        {uploaded !== undefined && <span className="dimmed">{formatBytes(uploaded.size)}</span>}
        {uploaded?.truncated === true && (
          <span className="dimmed" title="Only the beginning of its text is sent">
            shortened
          </span>
        )}
        {findings.length > 0 && (
          <span
            className={styles.fileFindings}
            title={findings
              .slice(0, 20)
              .map((finding) => `${formatFinding(finding)} ${finding.preview}`)
              .join('\n')}
          >
            <IconAlertTriangle size={12} aria-hidden />
            {findings.length === 1 ? '1 finding' : `${findings.length} findings`}
          </span>
        )}
        {isUploading && (
          <Progress
            className={styles.fileProgress}
            // The service reads the file after it was sent.
            value={status.progress * 90}
            size="xs"
            aria-label={`Upload of ${name}`}
          />
        )}
        {problem !== undefined && (
          <span className={styles.fileProblem} role="alert">
            {problem}
          </span>
        )}
        <AttachmentPrimitive.Remove asChild>
          <ActionIcon
            size="xs"
            aria-label={isUploading ? `Cancel upload of ${name}` : `Remove ${name}`}
          >
            <IconX size={12} />
          </ActionIcon>
        </AttachmentPrimitive.Remove>
      </li>
    </AttachmentPrimitive.Root>
  )
}
