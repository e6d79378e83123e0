import { ApiError } from '@assay/contract/client.ts'
import { Problem } from '@assay/ui/Problem.tsx'
import type { ReactNode } from 'react'
import { isChunkLoadError } from './chunk-load-error.ts'

interface Props {
  readonly error: Error
  /** Whether it is all of the page. */
  readonly isPage?: boolean
  readonly onRetry?: () => void
  readonly actions?: ReactNode
}

/** Explains a failed request and suggests what to do. */
export function RequestProblem({ error, isPage = false, onRetry, actions }: Props) {
  const { title, text } = toErrorMessage(error)
  // What does not exist stays missing.
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Problem
      title={title}
      isPage={isPage}
      isMissing={isMissing}
      actions={actions}
      {...(onRetry === undefined || isMissing ? {} : { onRetry })}
    >
      {text}
    </Problem>
  )
}

function toErrorMessage(error: Error): { title: string; text: string } {
  if (!(error instanceof ApiError)) {
    if (isChunkLoadError(error)) {
      return {
        title: 'This page could not be loaded',
        text: 'The service cannot be reached, or it was updated since you opened the app. Check that it is running, then reload the app.',
      }
    }
    return {
      title: 'Something went wrong on this page',
      text: `Your data is not affected. Try again; if it keeps failing, report this message: ${error.message}`,
    }
  }
  if (error.status === 0) {
    return {
      title: 'The service cannot be reached',
      text: 'Check that it is running and that this computer is online, then try again.',
    }
  }
  if (error.status === 404) {
    // Some messages give the reason themselves.
    if (/was deleted/.test(error.message)) return { title: 'Not found', text: error.message }
    return {
      // Such as `Trace not found.`
      title: error.message.replace(/\.$/, ''),
      text: 'It may have been deleted, or it is in a project that you cannot open.',
    }
  }
  if (error.status === 403) {
    return {
      title: 'Not allowed',
      text: `${error.message} An Owner or Admin of the organization can change that.`,
    }
  }
  if (error.status === 503) {
    // Some messages have advice of their own.
    const advice = /try again/i.test(error.message)
      ? ''
      : ' Try again in a moment; if it keeps failing, check the log of the service.'
    return { title: 'Not available right now', text: error.message + advice }
  }
  if (error.status >= 500) {
    return {
      title: 'The service failed',
      text: `${error.message} Try again; if it keeps failing, check the log of the service.`,
    }
  }
  return { title: 'The request was refused', text: error.message }
}
