"""What commands share: options, output, progress and messages in a terminal."""
