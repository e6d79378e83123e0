import { createLink } from '@tanstack/react-router'
import { type ComponentProps, useEffect, useRef } from 'react'
import styles from './tabs.module.css'

/** A tab of a `TabFrame`. */
export const TabLink = createLink(TabAnchor)

function TabAnchor({ children, ...props }: ComponentProps<'a'>) {
  const place = useRef<HTMLLIElement>(null)
  const isHere = props['aria-current'] === 'page'
  // On a narrow screen the tabs scroll: the current one must be visible.
  useEffect(() => {
    if (isHere) place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isHere])
  return (
    <li ref={place}>
      <a {...props} className={styles.tab}>
        {children}
      </a>
    </li>
  )
}
