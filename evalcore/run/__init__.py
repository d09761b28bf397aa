"""The grid carried out: plan, engine, events, store, worker process."""
