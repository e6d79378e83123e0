import { useAuiState } from '@assistant-ui/react'

/** Whether every file of the message is uploaded. */
export function useComposerFiles(): boolean {
  return useAuiState(({ composer }) =>
    composer.attachments.every(
      ({ status }) => status.type === 'requires-action' || status.type === 'complete',
    ),
  )
}
