import { invalidParams } from '@assay/account/routes/search-schema.ts'
import { CloseButton } from '@mantine/core'
import { type StaticDataRouteOption, useMatches, useNavigate } from '@tanstack/react-router'
import styles from './Shell.module.css'

/** Lists the search parameters that the page ignores because their values are invalid. Dismissing removes them. */
export function IgnoredParams() {
  const navigate = useNavigate()
  const page = useMatches({ select: (matches) => matches.findLast(hasSearch) })
  const schema = page?.staticData.page?.search
  if (page === undefined || schema === undefined) return null
  const names = invalidParams(schema, page.search)
  if (names.length === 0) return null
  return (
    <div className={`${styles.notice} ${styles.ignored}`} role="status">
      <span>
        Ignored invalid URL {names.length === 1 ? 'parameter' : 'parameters'}: {names.join(', ')}
      </span>
      <CloseButton
        size="sm"
        aria-label="Dismiss"
        onClick={() =>
          void navigate({
            to: '.',
            search: schema.parse(page.search),
            replace: true,
            resetScroll: false,
          })
        }
      />
    </div>
  )
}

function hasSearch({ staticData }: { readonly staticData: StaticDataRouteOption }): boolean {
  return staticData.page?.search !== undefined
}
