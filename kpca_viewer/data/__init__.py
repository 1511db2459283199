"""Where points come from: generators and data sets. No Qt."""
