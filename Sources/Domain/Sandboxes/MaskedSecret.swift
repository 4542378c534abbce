/// How secrets stand in exports and logs; a seed that holds it leaves the secret as it is.
package let maskedSecret = "********"
