"""From settings to a result: settings, stages, cache, jobs, store, runner."""
