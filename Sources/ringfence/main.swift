import ArgumentParser

RingfenceCommand.main()
