import { useQuery } from '@tanstack/react-query'
import { evaluationRulesQuery } from '../../api/evaluation-rules.ts'

interface Props {
  readonly projectId: string
  /** Can no longer be run. */
  readonly collectionId: string
}

/** Warns of the rules that a deletion stops. Those of other projects are not listed. */
export function StoppedRules({ projectId, collectionId }: Props) {
  const { data = [] } = useQuery(evaluationRulesQuery(projectId))
  const names = data
    .filter((rule) => rule.is_enabled && rule.collection_id === collectionId)
    .map(({ name }) => name)
  return (
    <>
      Rules that use it stop until you choose another collection
      {names.length > 0 && (
        <>
          ; in this project: <strong>{names.join(', ')}</strong>
        </>
      )}
      .
    </>
  )
}
