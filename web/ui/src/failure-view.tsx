import { createContext, type ReactNode } from 'react'
import { Problem } from './Problem.tsx'

/** How a failed query is shown. An app that can explain its errors provides its own function. */
export const FailureView = createContext<(error: Error, onRetry: () => void) => ReactNode>(
  (error, onRetry) => (
    <Problem title="Loading failed" onRetry={onRetry}>
      {error.message}
    </Problem>
  ),
)
