import { Loader, Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Command, matchingCommands } from './command-match.ts'
import styles from './palette.module.css'
import { useCommands } from './use-commands.ts'
import { useFoundTraces } from './use-found-traces.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onShowShortcuts: () => void
  /** Returns what was typed before the palette had the focus. */
  readonly takeTyped: () => string
}

/** The command palette: pages, settings, projects and traces. */
export function Palette({ isOpen, onClose, ...props }: Props) {
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={560}
      yOffset="12vh"
      lockScroll={false}
      returnFocus={false}
      // No fade-out: reopened right away, it would still contain the old text.
      transitionProps={{ duration: 0 }}
      classNames={{ content: styles.sheet }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Command palette" radius="md">
        <Search onClose={onClose} {...props} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ onClose, onShowShortcuts, takeTyped }: Omit<Props, 'isOpen'>) {
  const [text, setText] = useState(takeTyped)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const input = useInstantFocus()
  const found = useFoundTraces(text)
  const groups = [
    ...useCommands(onShowShortcuts).map(({ title, commands }) => ({
      title,
      commands: matchingCommands(commands, text),
    })),
    { title: text.trim() === '' ? 'Newest traces' : 'Traces', commands: found.commands },
  ].filter(({ commands }) => commands.length > 0)
  const all = groups.flatMap(({ commands }) => commands)
  const current = all[Math.min(at, all.length - 1)]

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at])

  function run(command: Command | undefined): void {
    if (command === undefined) return
    onClose()
    command.run()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key]
    if (step !== undefined && all.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, all.length - 1) + step + all.length) % all.length)
    }
    // During IME composition, Enter only confirms the character.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      run(current)
    }
  }

  return (
    <>
      <div className={styles.search}>
        <IconSearch size={17} stroke={1.75} aria-hidden />
        <input
          ref={input}
          className={styles.input}
          placeholder="Search pages, projects and traces"
          aria-label="Search pages, projects and traces"
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={current && optionId(current)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        {found.isSearching && <Loader size={14} />}
      </div>
      <div ref={list} id="palette-list" role="listbox" aria-label="Results" className={styles.list}>
        {groups.map(({ title, commands }) => (
          <div key={title} role="group" aria-label={title}>
            <div className={styles.group} aria-hidden>
              {title}
            </div>
            {commands.map((command) => (
              <Option
                key={command.id}
                command={command}
                isCurrent={command === current}
                onPoint={() => setAt(all.indexOf(command))}
                onRun={() => run(command)}
              />
            ))}
          </div>
        ))}
        {all.length === 0 && !found.isSearching && (
          <p className={styles.empty}>
            No results. Try part of a name, or at least the first 6 characters of a trace ID.
          </p>
        )}
      </div>
      <div className={styles.foot} aria-hidden>
        <span>
          <kbd className={styles.key}>↑</kbd> <kbd className={styles.key}>↓</kbd> select
        </span>
        <span>
          <kbd className={styles.key}>Enter</kbd> open
        </span>
        <span>
          <kbd className={styles.key}>Esc</kbd> close
        </span>
      </div>
    </>
  )
}

/**
 * Focuses the input in the same frame as it appears, and the previous element when it is gone. The focus trap of
 * the dialog only does so after a timeout: until then, typed text would go to the page below.
 */
function useInstantFocus() {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const previous = document.activeElement
    input.current?.focus()
    return () => {
      if (previous instanceof HTMLElement) previous.focus({ preventScroll: true })
    }
  }, [])
  return input
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

interface OptionProps {
  readonly command: Command
  readonly isCurrent: boolean
  readonly onPoint: () => void
  readonly onRun: () => void
}

function Option({ command, isCurrent, onPoint, onRun }: OptionProps) {
  return (
    <button
      type="button"
      role="option"
      id={optionId(command)}
      aria-selected={isCurrent}
      tabIndex={-1}
      className={styles.option}
      onMouseMove={onPoint}
      onClick={onRun}
    >
      <span className={styles.label}>{command.label}</span>
      {command.hint !== undefined && <span className={styles.hint}>{command.hint}</span>}
    </button>
  )
}

function optionId({ id }: Command): string {
  return `palette-${id}`
}
